import type { Dialog } from './dialog'

/**
 * Shows below the port of a virtual device a link to the device's own page.
 * @param told returns the text of a key
 */
export function virtualPage({ input, value }: Dialog, told: (key: 'link' | 'hint') => string) {
  const link = $('<a target="_blank" rel="noopener noreferrer">')
    .css({ color: 'inherit', textDecoration: 'underline' })
    .text(told('link'))
  const line = $('<div class="vision-hint vision-page">')
    .append(link, document.createTextNode(` ${told('hint')}`))
    .appendTo(input('port').closest('.form-row'))
  const look = () => {
    const url = pageUrl(value('host'), value('port'))
    line.toggle(url !== undefined)
    link.attr('href', url ?? '')
    RED.tray.resize()
  }
  for (const name of ['port', 'host']) input(name).on('input change', look)
  look()
}

const everywhere: ReadonlySet<string> = new Set(['localhost', '0.0.0.0', '::'])

/** As the computer that the device runs on reaches it; undefined if it cannot, or if any free port will do. */
function pageUrl(host: string, port: string): string | undefined {
  if (!/^\d{1,5}$/.test(port) || Number(port) === 0) return undefined
  const name = everywhere.has(host) ? '127.0.0.1' : host === '::1' ? '[::1]' : host
  return /^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]' ? `http://${name}:${port}/virtual/` : undefined
}
