import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../files/make-folder'
import { removeUnfinished, writeDurably } from '../files/write-durably'
import { mostAlarms, type Alarm } from './alarms'

/** The alarms of a cell on disk. */
export interface AlarmFile {
  /** Those of the run before. */
  readonly kept: readonly Alarm[]
  /** Writes them as they are when it is their turn; what comes meanwhile is written together. */
  keep: (alarms: readonly Alarm[]) => void
  /** Resolves when everything is written. */
  close: () => Promise<void>
}

/**
 * Opens the file of a cell's alarms; one that cannot be read is an empty one.
 * @param failed is told why nothing can be kept; the alarms then last until the next start
 */
export async function openAlarmFile(file: string, failed: (error: unknown) => void): Promise<AlarmFile> {
  let kept: Alarm[] = []
  try {
    await makeFolder(dirname(file))
    await removeUnfinished(file)
    kept = alarmsIn(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed(error)
  }
  let next: string | undefined
  let writing: Promise<void> | undefined
  let isTold = false

  const write = async () => {
    while (next !== undefined) {
      const content = next
      next = undefined
      try {
        await writeDurably(file, content, 0o600)
        isTold = false
      } catch (error) {
        if (!isTold) failed(error)
        isTold = true
      }
    }
    writing = undefined
  }
  return {
    kept,
    keep: (alarms) => {
      next = `${JSON.stringify(alarms)}\n`
      writing ??= write()
    },
    close: async () => {
      await writing
    },
  }
}

/** What a file holds that somebody may have edited. */
function alarmsIn(text: string): Alarm[] {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return []
  }
  return Array.isArray(found) ? found.slice(-mostAlarms).filter(isAlarm) : []
}

function isAlarm(value: unknown): value is Alarm {
  if (typeof value !== 'object' || value === null) return false
  const { key, text, raised, gone, acknowledged, count } = value as Partial<Record<keyof Alarm, unknown>>
  const isTime = (time: unknown) => typeof time === 'number' && time >= 0 && time <= 8.64e15
  const isOptional = (time: unknown) => time === undefined || isTime(time)
  return (
    typeof key === 'string' &&
    typeof text === 'string' &&
    isTime(raised) &&
    isOptional(gone) &&
    isOptional(acknowledged) &&
    Number.isSafeInteger(count)
  )
}
