import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The sentences of one part of this software, in each language. */
export interface Sentences<Key extends string = string> {
  has(key: string): key is Key
  /**
   * The sentence with its `{{name}}` placeholders filled in. An unknown language falls back to its base language, then
   * to en-US. @param language @default 'en-US'
   */
  say(key: Key, values?: Readonly<Record<string, unknown>>, language?: string): string
}

/** A value whose text depends on the language of its sentence. */
export interface Localized {
  inLanguage(language?: string): string
}

type Catalog = Readonly<Record<string, string>>

export type KeyOf<Some> = Some extends Sentences<infer Key> ? Key : never

const english = 'en-US'

/** The language folders here. No other text becomes a path or is cached. */
export const languages: readonly string[] = readdirSync(join(__dirname, 'locales'))

/** The requested language, its base language, or one with the same base; undefined if there is none. */
export function knownLanguage(requested: string): string | undefined {
  if (languages.includes(requested)) return requested
  const base = baseOf(requested)
  return languages.find((language) => baseOf(language) === base)
}

const baseOf = (language: string) => language.split('-', 1)[0]?.toLowerCase()

const files = ['sentences.json', 'reports.json'] // errors and what to do about them; events

/**
 * The sentences of `locales/<language>/sentences.json` and `reports.json` below a folder, read on first use. `English`
 * is the type of the English files; a test compares the other languages with them.
 */
export function sentencesIn<English extends Catalog>(folder: string): Sentences<keyof English & string> {
  const of = (language: string) => catalogIn(join(folder, 'locales', language))
  const textOf = (key: string, requested: string) =>
    of(knownLanguage(requested) ?? english)[key] ?? of(english)[key] ?? key

  return {
    has: (key): key is keyof English & string => Object.hasOwn(of(english), key),
    say: (key, values = {}, language = english) =>
      textOf(key, language).replace(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name], language)),
  }
}

/** Joins the sentences of two parts; the first takes precedence. */
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

const loaded = new Map<string, Catalog>() // by language folder

function catalogIn(locale: string): Catalog {
  let catalog = loaded.get(locale)
  if (!catalog) {
    const paths = files.map((file) => join(locale, file)).filter((path) => existsSync(path))
    const parts = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as Catalog)
    loaded.set(locale, (catalog = Object.assign({}, ...parts) as Catalog))
  }
  return catalog
}

/** Characters of a value in a sentence; a list of all operations still fits. */
const most = 2000

function shown(value: unknown, language: string): string {
  const given = isLocalized(value) ? value.inLanguage(language) : value
  const text = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
  return text.length > most ? `${text.slice(0, most)}…` : text
}

const isLocalized = (value: unknown): value is Localized =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Localized>).inLanguage === 'function'
