import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The sentences of one part of this software, in each of its languages. */
export interface Sentences<Key extends string = string> {
  /** Whether there is a sentence with that key. */
  has(key: string): key is Key
  /**
   * The sentence with that key, with its `{{name}}` placeholders filled in. A missing language falls back to its base
   * language, then to en-US.
   * @param language @default 'en-US'
   */
  say(key: Key, values?: Readonly<Record<string, unknown>>, language?: string): string
}

type Catalog = Readonly<Record<string, string>>
type Known = Partial<Catalog>

/**
 * The sentences of a folder, `locales/<language>/<file>.json`. Does not compile if a language lacks one of them:
 * `English` and `Others` are the types of the files.
 */
export function sentencesIn<English extends Catalog, Others extends Record<keyof English, string>>(
  folder: string,
  file = 'sentences',
): Sentences<keyof English & keyof Others & string> {
  const loaded = new Map<string, Known>()
  let languages: ReadonlySet<string> | undefined

  const of = (language: string): Known => {
    const known = loaded.get(language)
    if (known) return known
    // A browser may ask for any: only those that are there are kept.
    const there = join(folder, 'locales')
    languages ??= new Set(existsSync(there) ? readdirSync(there) : [])
    if (!languages.has(language)) return {}
    const sentences = read(join(folder, 'locales', language, `${file}.json`))
    loaded.set(language, sentences)
    return sentences
  }
  const textOf = (key: string, language: string) =>
    of(language)[key] ?? of(language.replace(/-.*/, ''))[key] ?? of('en-US')[key]

  return {
    has: (key): key is keyof English & keyof Others & string => Object.hasOwn(of('en-US'), key),
    say: (key, values = {}, language = 'en-US') =>
      (textOf(key, language) ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name])),
  }
}

/** Joins the sentences of two parts; if both have a key, the first takes precedence. */
export const joined = <One extends string, Other extends string>(
  one: Sentences<One>,
  other: Sentences<Other>,
): Sentences<One | Other> => ({
  has: (key): key is One | Other => one.has(key) || other.has(key),
  say: (key, values, language) => {
    const sentences: Sentences = one.has(key) ? one : other
    return sentences.say(key, values, language)
  },
})

/** The keys of sentences. */
export type KeyOf<Some> = Some extends Sentences<infer Key> ? Key : never

function read(path: string): Known {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Known
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** Longest value in a sentence, in characters; a list of all operations still fits. */
const most = 2000

const shown = (value: unknown) => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text.length > most ? `${text.slice(0, most)}…` : text
}
