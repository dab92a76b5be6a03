// What the help of the nodes contains, from the built help files.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { descriptions } = createRequire(import.meta.url)('../../dist/scripts/dialogs')
const { 'node-red': listed } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The nodes in the order of the palette, each with its label, summary, message properties and errors. */
export function nodeHelp() {
  const described = descriptions('nodes')
  return Object.keys(listed.nodes).map((type) => {
    const { group, fields } = described.find((node) => node.type === type)
    const { summary, sections } = helpOf(type)
    const words = JSON.parse(readFileSync(`nodes/${type}/locales/en-US/${type}.json`, 'utf8'))
    return {
      type,
      group,
      label: words[type].paletteLabel,
      summary,
      reads: withMentioned(properties(sections.Inputs), sections.Inputs, fields),
      sets: properties(sections.Outputs),
      errors: entries(sections.Errors).flatMap(({ title }) => title.split(', ')),
    }
  })
}

/** The codes of calls to a device with what the help of the node says about each. */
export const callErrors = (language, heading) =>
  Object.fromEntries(
    entries(helpOf('device-config', language).sections[heading]).flatMap(({ title, text }) =>
      title.split(', ').map((name) => [name, text]),
    ),
  )

function helpOf(type, language = 'en-US') {
  const html = readFileSync(`dist/nodes/${type}/locales/${language}/${type}.html`, 'utf8')
  const [intro = '', ...rest] = html.split(/<h3>([^<]*)<\/h3>/)
  const sections = {}
  for (let at = 0; at < rest.length; at += 2) sections[rest[at]] = rest[at + 1]
  return { summary: plain(/<p>([^]*?)<\/p>/.exec(intro)?.[1] ?? ''), sections }
}

const entries = (html = '') =>
  [...html.matchAll(/<dt[^>]*>([^]*?)<\/dt>\s*(?:<dd>([^]*?)<\/dd>)?/g)].map(([, title, text = '']) => ({
    title: plain(title.replace(/<span[^]*/, '')),
    type: plain(/<span[^>]*>([^]*?)<\/span>/.exec(title)?.[1] ?? ''),
    text: plain(text),
  }))

const typeWords = /^(any|array|array of strings|boolean|buffer|number|object|string)$/

/** Each message property once, with its types; an entry without a type is a command. */
function properties(html) {
  const found = new Map()
  for (const { title, type } of entries(html)) {
    const types = type.toLowerCase().split(' | ')
    if (!types.every((each) => typeWords.test(each))) continue
    for (const name of title.split(', ').map((each) => each.split('.')[0]))
      // The type of a part says nothing about the object that contains it.
      found.set(name, new Set([...(found.get(name) ?? []), ...(title.includes('.') ? ['object'] : types)]))
  }
  return found
}

/** With those that the text about inputs mentions, and those that fields read unless another source is chosen. */
function withMentioned(reads, html = '', fields) {
  const mentioned = [...html.matchAll(/<code>msg\.(\w+)/g)].map(([, name]) => name)
  const byDefault = Object.values(fields)
    .filter(
      ({ kind, kinds, defaultKind }) =>
        kind === 'property' || (kind === 'typed' && (defaultKind ?? kinds[0]) === 'msg'),
    )
    .map((field) => field.default.split('.')[0])
  for (const name of [...mentioned, ...byDefault]) if (name && !reads.has(name)) reads.set(name, new Set())
  return reads
}

const plain = (html) =>
  html
    .replaceAll(/<\/?(i|em)>/g, '*')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
