import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The sentences of one part of this software, in each of its languages. */
export interface Sentences<Key extends string = string> {
  /** Whether there is a sentence with that key. */
  has(key: string): key is Key
  /**
   * The sentence with that key, with its `{{name}}` placeholders filled in. An unknown language is replaced by its base
   * language, or by en-US.
   * @param language @default 'en-US'
   */
  say(key: Key, values?: Readonly<Record<string, unknown>>, language?: string): string
}

/** A value whose text depends on the language of its sentence. */
export interface Localized {
  inLanguage(language?: string): string
}

type Catalog = Readonly<Record<string, string>>

/** The keys of sentences. */
export type KeyOf<Some> = Some extends Sentences<infer Key> ? Key : never

const english = 'en-US'

/** The languages of this software: those that this folder has. No other text becomes a path or is kept. */
export const languages: readonly string[] = readdirSync(join(__dirname, 'locales'))

/**
 * The language of this software for a requested one: itself, its base language, or the one with the same base.
 * Undefined if there is none.
 */
export function knownLanguage(requested: string): string | undefined {
  if (languages.includes(requested)) return requested
  const base = baseOf(requested)
  return languages.find((language) => baseOf(language) === base)
}

const baseOf = (language: string) => language.split('-', 1)[0]?.toLowerCase()

/** Errors and what to do about them, then what has happened. */
const files = ['sentences.json', 'reports.json']

/**
 * The sentences of a folder: `locales/<language>/sentences.json` and `reports.json`, read on first use. `English` is the
 * type of the English files; a test compares those of the other languages with them.
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

/** By the folder of a language. */
const loaded = new Map<string, Catalog>()

function catalogIn(locale: string): Catalog {
  let catalog = loaded.get(locale)
  if (!catalog) {
    const paths = files.map((file) => join(locale, file)).filter((path) => existsSync(path))
    const parts = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as Catalog)
    loaded.set(locale, (catalog = Object.assign({}, ...parts) as Catalog))
  }
  return catalog
}

/** Longest value in a sentence, in characters; a list of all operations still fits. */
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
