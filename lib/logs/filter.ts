import type { LogEntry } from '../contract'
import type { VisionError } from '../client/vision-error'
import { logsError } from './sentences'
import { timedPattern } from './timed-pattern'
import { wildcard } from './wildcard'

/** Levels in order of severity, lowest first. */
export const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogFilter {
  /** Only entries of this level or above. Levels with other names pass. @default 'DEBUG' */
  level?: LogLevel
  /** Comma-separated names; `*` stands for any characters, case is ignored. @default '' is all */
  component?: string
  /** Text that the message must contain, ignoring case. @default '' is any message */
  text?: string
  /** Whether `text` is a regular expression. @default false */
  isPattern?: boolean
}

/** Selects the entries that pass. */
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
 * @param tooSlow called once if the regular expression takes so long that it is no longer used; from then on every text
 * passes
 * @throws VisionError `INVALID_INPUT` for an invalid regular expression
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

/** A level with another name ranks highest. */
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
    logsError(
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
