// The headings of docs/troubleshooting.md: an entry names the key of a message, and its heading is that message in both languages.
import { existsSync, readFileSync } from 'node:fs'

const file = 'docs/troubleshooting.md'
const entry = /<!-- message: (\S+) (\S+) -->\n### .*\n\nGerman: .*\n/g

/** The page with the present messages as headings. @throws Error naming a message that does not exist */
export const troubleshootingPage = () =>
  readFileSync(file, 'utf8').replaceAll(
    entry,
    (_all, folder, key) =>
      `<!-- message: ${folder} ${key} -->\n### ${heading(messageOf(folder, key, 'en-US'))}\n\nGerman: *${heading(messageOf(folder, key, 'de'))}*\n`,
  )

/** @param folder of sentences or reports, or the name of a node for a text of its dialog */
function messageOf(folder, key, language) {
  const catalogs = [
    ...['sentences', 'reports'].map((name) => `${folder}/locales/${language}/${name}.json`),
    `nodes/${folder}/locales/${language}/${folder}.json`,
  ]
  for (const catalog of catalogs.filter((path) => existsSync(path))) {
    const texts = JSON.parse(readFileSync(catalog, 'utf8'))
    const path = [key, `${folder}.${key}`].find((each) => typeof textAt(texts, each) === 'string')
    if (path) return textAt(texts, path)
  }
  throw new Error(`${file}: there is no message ${key} of ${folder} in ${language}.`)
}

const textAt = (texts, path) => texts[path] ?? path.split('.').reduce((part, name) => part?.[name], texts)

/** The first sentence, with … for names and numbers. */
function heading(message) {
  const plain = message
    .replace(/^\{\{device\}\}: /, '')
    .replaceAll('{{said}}', '')
    .replaceAll(/\{\{\w+\}\}|__\w+__/g, '…')
  const [first] = plain.split(/(?<=\.) (?=\p{Lu}|…)/u)
  const text = first.replace(/\.$/, '')
  return text[0].toUpperCase() + text.slice(1)
}
