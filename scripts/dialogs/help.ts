import type { NodeDescription } from '../../nodes/shared/fields/description'
import { element } from './element'
import { settingsList, type Language } from './settings'

const repository = 'https://github.com/cellsight/node-red-vision'

/**
 * Adds common parts to a node's help: meanings of names and codes, `vision` in the message, settings, links.
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

const parted = (help: string, at: string) => help.replace(/\s*<\/script>\s*$/, '\n').split(at)

/** Entries without their own text have the common meaning. */
const withEntries = (help: string, { words }: Language) =>
  help.replace(
    /<dt[^>]*>([^<]*)(?:<span[^>]*>[^<]*<\/span>)?<\/dt>(?=\s*<(?:dt|\/dl)\b)/g,
    (title, name: string) => {
      const text = words.entries[name.trim() as keyof typeof words.entries] as string | undefined
      if (text === undefined) throw new Error(`The help says nothing about ${name.trim()}.`)
      return title + element('dd', {}, text)
    },
  )

/** After the other properties of the first output. */
function withVision(help: string, { words }: Language): string {
  const title = `vision ${element('span', { class: 'property-type' }, 'object')}`
  const [before = '', outputs = ''] = help.split(heading(words.outputs))
  const entry = element('dt', {}, title) + element('dd', {}, words.vision)
  return before + heading(words.outputs) + outputs.replace('</dl>', () => `${entry}</dl>`)
}
