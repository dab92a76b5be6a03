import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type client from './locales/en-US/client.json'
import type editor from './locales/en-US/editor.json'
import type firmware from './locales/en-US/firmware.json'
import type flow from './locales/en-US/flow.json'
import type logs from './locales/en-US/logs.json'
import type handEye from './locales/en-US/hand-eye.json'
import type handEyeReports from './locales/en-US/hand-eye-reports.json'
import type results from './locales/en-US/result-reports.json'
import type robotPose from './locales/en-US/robot-pose.json'
import type streams from './locales/en-US/streams.json'
import type system from './locales/en-US/system.json'

/** One file for each part that has sentences of its own, the same ones in every language. */
export type SentenceKey = keyof (typeof client &
  typeof editor &
  typeof firmware &
  typeof flow &
  typeof logs &
  typeof handEye &
  typeof handEyeReports &
  typeof results &
  typeof robotPose &
  typeof streams &
  typeof system)
type Sentences = Partial<Record<string, string>>

const loaded = new Map<string, Sentences>()

/**
 * The sentence of that key with its `{{name}}` placeholders filled in.
 * A language that is not there falls back to its base language, then to en-US.
 */
export function sentence(key: SentenceKey, values: Record<string, unknown> = {}, language = 'en-US'): string {
  const text =
    sentencesOf(language)[key] ?? sentencesOf(language.replace(/-.*/, ''))[key] ?? sentencesOf('en-US')[key]
  return (text ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name]))
}

function sentencesOf(language: string): Sentences {
  const known = loaded.get(language)
  if (known) return known
  const sentences = /^[A-Za-z]{2,3}(-[A-Za-z]{2,4})?$/.test(language) ? read(language) : {}
  loaded.set(language, sentences)
  return sentences
}

function read(language: string): Sentences {
  const folder = join(__dirname, 'locales', language)
  try {
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    return Object.assign({}, ...files.map((file) => JSON.parse(file) as Sentences)) as Sentences
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** Most characters of a value in a sentence; a list of all operations still fits. */
const most = 2000

const shown = (value: unknown) => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text.length > most ? `${text.slice(0, most)}…` : text
}
