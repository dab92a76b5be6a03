import { readFile } from 'node:fs/promises'
import { writeDurably } from '../../lib/files/write-durably'
import type { CalibrationSince } from '../../lib/fleet'
import { isObject } from '../shared/is-object'

/** A calibration as this cell saw it. */
interface SeenCalibration extends CalibrationSince {
  /** Tells it from others; empty: there was none. */
  print: string
}

/** Devices that are remembered, at most. */
const most = 1000

/** Since when devices have their calibrations, as far as this cell knows; kept in a file. */
export class CalibrationAges {
  readonly #file: string
  readonly #failed: (error: unknown) => void
  #known: Promise<Map<string, SeenCalibration>> | undefined

  /** @param failed told of a file that cannot be written */
  constructor(file: string, failed: (error: unknown) => void) {
    this.#file = file
    this.#failed = failed
  }

  /**
   * Takes what a device has now.
   * @param key of the device
   * @param print tells the calibration from others; empty: there is none
   * @param savedAt milliseconds since 1970 at which this cell saved a calibration there, if it did
   */
  async seen(key: string, print: string, savedAt: number | undefined): Promise<CalibrationSince> {
    const known = await (this.#known ??= readAges(this.#file))
    const before = known.get(key)
    const now = sinceOf(before, print, savedAt, Date.now())
    if (now !== before) {
      known.delete(key)
      known.set(key, now)
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
      await writeDurably(this.#file, JSON.stringify(Object.fromEntries(known)), 0o600).catch(this.#failed)
    }
    const { since, sinceIs } = now
    return { since, sinceIs }
  }
}

function sinceOf(
  before: SeenCalibration | undefined,
  print: string,
  savedAt: number | undefined,
  now: number,
): SeenCalibration {
  const at = (time: number) => new Date(time).toISOString()
  const isNewlySaved = savedAt !== undefined && !(before && savedAt <= Date.parse(before.since))
  if (isNewlySaved && print !== '') return { print, since: at(savedAt), sinceIs: 'saved' }
  if (!before) return { print, since: at(now), sinceIs: 'seen' }
  return before.print === print ? before : { print, since: at(now), sinceIs: 'changed' }
}

/** A file that cannot be read begins anew: then everything counts as seen for the first time. */
async function readAges(file: string): Promise<Map<string, SeenCalibration>> {
  try {
    const found: unknown = JSON.parse(await readFile(file, 'utf8'))
    const entries = isObject(found) ? Object.entries(found) : []
    return new Map(entries.flatMap(([key, one]) => (isSeen(one) ? [[key, one] as const] : [])))
  } catch {
    return new Map()
  }
}

const isSeen = (value: unknown): value is SeenCalibration =>
  isObject(value) &&
  typeof value['print'] === 'string' &&
  typeof value['since'] === 'string' &&
  ['saved', 'changed', 'seen'].includes(String(value['sinceIs']))
