import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { sentencesIn } from '../../lib/kernel/sentences'

const root = join(__dirname, '..', '..')

/** A file of sentences, with those of the other languages beside it. */
export interface Catalog {
  /** The part that they are of, and the file: `nodes/backup sentences`. */
  name: string
  keys: string[]
  say: (key: string, values: Record<string, unknown>, language: string) => string
  languages: string[]
  read: (language: string) => Record<string, string>
}

/** All files of sentences in `lib` and `nodes`; the texts of dialogs have names of their nodes. */
export const catalogs: Catalog[] = ['lib', 'nodes'].flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .filter((path) => /locales.en-US.(sentences|reports)\.json$/.test(path))
    .map((path) => catalogOf(join(layer, path))),
)

function catalogOf(path: string): Catalog {
  const locales = dirname(dirname(path))
  const folder = dirname(locales)
  const file = basename(path, '.json')
  const read = (language: string) =>
    JSON.parse(readFileSync(join(root, locales, language, `${file}.json`), 'utf8')) as Record<string, string>
  const sentences = sentencesIn<Record<string, string>>(join(root, folder))
  return {
    name: `${folder.split(sep).join('/')} ${file}`,
    keys: Object.keys(read('en-US')),
    say: (key, values, language) => sentences.say(key, values, language),
    languages: readdirSync(join(root, locales)),
    read,
  }
}
