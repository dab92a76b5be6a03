import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sentencesIn, type KeyOf } from '../../lib/sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

const sentences = sentencesIn<typeof en, typeof de>(__dirname)

export type PageKey = KeyOf<typeof sentences>
/** The text with that key in the language of a page. */
export type Say = (key: PageKey, values?: Readonly<Record<string, unknown>>) => string

export const inLanguage =
  (language: string): Say =>
  (key, values = {}) =>
    sentences.say(key, values, language)

const english = 'en-US'
let known: string[] | undefined

/**
 * The first of a browser's languages in which there are texts, English otherwise.
 * @param accepted as in the header `Accept-Language`: `de-AT,de;q=0.9,en;q=0.8`
 */
export function pageLanguage(accepted = ''): string {
  known ??= readdirSync(join(__dirname, 'locales'))
  const wanted = accepted
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', quality = ''] = part.split(';')
      return { base: tag.trim().toLowerCase().split('-')[0] ?? '', weight: weightOf(quality) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { base } of wanted) {
    const found = known.find((language) => language.split('-')[0] === base)
    if (found !== undefined) return found
  }
  return english
}

function weightOf(quality: string): number {
  const [name, value] = quality.split('=')
  return name?.trim() === 'q' ? Number(value) || 0 : 1
}
