import type { LogEntry } from '../contract'
import { VisionError } from '../client/vision-error'
import { timedPattern } from './timed-pattern'
import { wildcard } from './wildcard'

/** Levels from the least to the most severe. */
export const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogFilter {
  /** Entries of at least this level. Levels of other names pass. @default 'DEBUG' */
  level?: LogLevel
  /** Names with commas; `*` stands for any characters, upper and lower case are alike. @default '' is all */
  component?: string
  /** What the message must hold, upper and lower case alike. @default '' is anything */
  text?: string
  /** `text` is a regular expression. @default false */
  isPattern?: boolean
}

/** Which of the entries pass. */
export type Passing = (entries: readonly LogEntry[]) => boolean[]

const synonyms: Partial<Record<string, LogLevel>> = {
  TRACE: 'DEBUG',
  NOTICE: 'INFO',
  WARNING: 'WARN',
  ERR: 'ERROR',
  CRITICAL: 'FATAL',
}

/**
 * Prepares a filter.
 * @param tooSlow told once when the regular expression takes so long that it is not used any more: then every text passes
 * @throws VisionError `INVALID_INPUT` for a regular expression that makes no sense
 */
export function logFilter(
  { level = 'DEBUG', component = '', text = '', isPattern = false }: LogFilter,
  language: string | undefined,
  tooSlow: (error: VisionError) => void,
): Passing {
  const least = logLevels.indexOf(level)
  const components = component
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map(wildcard)
  const texts = textFilter(text, isPattern, language, tooSlow)
  const isOf = (entry: LogEntry) =>
    rank(entry.level) >= least &&
    (components.length === 0 || components.some((isNamed) => isNamed(entry.component)))

  return (entries) => {
    const passing = entries.map(isOf)
    if (text === '') return passing
    const asked = entries.filter((_, index) => passing[index])
    const fits = texts(asked.map(({ message }) => message)).values()
    return passing.map((isPassing) => isPassing && fits.next().value !== false)
  }
}

/** A level of another name counts as the highest. */
function rank(level: string): number {
  const name = level.toUpperCase()
  const known = logLevels.indexOf((synonyms[name] ?? name) as LogLevel)
  return known < 0 ? logLevels.length : known
}

function textFilter(
  text: string,
  isPattern: boolean,
  language: string | undefined,
  tooSlow: (error: VisionError) => void,
): (texts: readonly string[]) => boolean[] {
  if (!isPattern) {
    const part = text.toLowerCase()
    return (texts) => texts.map((message) => message.toLowerCase().includes(part))
  }
  const failed = (key: 'log-pattern' | 'log-pattern-slow', detail?: string) =>
    new VisionError(
      { code: 'INVALID_INPUT', key, values: { text }, ...(detail && { cause: { detail } }) },
      { language },
    )
  let pattern: RegExp
  try {
    pattern = new RegExp(text, 'i')
  } catch (error) {
    throw failed('log-pattern', (error as Error).message)
  }
  return timedPattern(pattern, () => tooSlow(failed('log-pattern-slow')))
}
