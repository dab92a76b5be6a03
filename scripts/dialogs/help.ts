import type { NodeDescription } from '../../nodes/shared/fields/description'
import { element } from './element'
import { settingsList, type Language } from './settings'

const repository = 'https://github.com/cellsight/node-red-vision'

/**
 * Completes the help of a node with what all nodes share: the meaning of names and codes without a text of their own,
 * `vision` in the message, the settings before the details, a link to all codes, and the documentation.
 * @throws Error naming an entry without a text
 */
export function completeHelp(help: string, node: NodeDescription, language: Language): string {
  const { words } = language
  const settings = heading(words.settings) + `\n  ${settingsList(node, language)}\n\n  `
  const filled = withEntries(help, language).replace(heading(words.details), (details) => settings + details)
  const [main = '', links = ''] = parted(filled, heading(words.references))
  const isConfig = node.group === 'config'
  const codes = isConfig ? '' : `\n  ${element('p', {}, words.allCodes)}\n`
  const own = /<li>[^]*<\/li>/.exec(links)?.[0] ?? ''
  return `${isConfig ? main : withVision(main, language)}${codes}
  ${heading(words.references)}
  <ul>
    ${own}<li>${element('a', { href: repository }, words.documentation)}</li>
  </ul>
</script>
`
}

const heading = (title: string) => element('h3', {}, title)

/** The parts before and after a heading, without the end of the script. */
const parted = (help: string, at: string) => help.replace(/\s*<\/script>\s*$/, '\n').split(at)

/** An entry without a text of its own has the same meaning on all nodes. */
const withEntries = (help: string, { words }: Language) =>
  help.replace(
    /<dt[^>]*>([^<]*)(?:<span[^>]*>[^<]*<\/span>)?<\/dt>(?=\s*<(?:dt|\/dl)\b)/g,
    (title, name: string) => {
      const text = words.entries[name.trim() as keyof typeof words.entries] as string | undefined
      if (text === undefined) throw new Error(`The help says nothing about ${name.trim()}.`)
      return title + element('dd', {}, text)
    },
  )

/** What every message has, after the other properties of the first output. */
function withVision(help: string, { words }: Language): string {
  const title = `vision ${element('span', { class: 'property-type' }, 'object')}`
  const [before = '', outputs = ''] = help.split(heading(words.outputs))
  const entry = element('dt', {}, title) + element('dd', {}, words.vision)
  return before + heading(words.outputs) + outputs.replace('</dl>', () => `${entry}</dl>`)
}
