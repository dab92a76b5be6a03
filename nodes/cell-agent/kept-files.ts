/**
 * What an agent keeps in its folder besides its journal: since when devices have their calibrations, and the names under which
 * the cell was known at the broker. A file that cannot be read or written is reported by who opens it.
 */
import type { CalibrationSince, CellName } from '../../lib/fleet/messages'
import type { DurableValue } from '../../lib/kernel/storage'
import { Type, type Static } from '../../lib/typebox'

/** Devices that are remembered, at most. */
const most = 1000

/** A calibration as this cell saw it. */
const SeenCalibration = Type.Object({
  /** Tells it from others; empty: there was none. */
  print: Type.String(),
  since: Type.String(),
  sinceIs: Type.Union([Type.Literal('saved'), Type.Literal('changed'), Type.Literal('seen')]),
})
type SeenCalibration = Static<typeof SeenCalibration>

/** Content of `calibrations.json`: by the device. */
export const SeenCalibrations = Type.Record(Type.String(), SeenCalibration)

/** Since when devices have their calibrations, as far as this cell knows. */
export class CalibrationAges {
  readonly #file: DurableValue<Static<typeof SeenCalibrations>>
  readonly #known: Map<string, SeenCalibration>

  constructor(file: DurableValue<Static<typeof SeenCalibrations>>) {
    this.#file = file
    this.#known = new Map(Object.entries(file.value))
  }

  /**
   * Takes what a device has now.
   * @param key of the device
   * @param print identifies the calibration; empty: there is none
   * @param savedAt milliseconds since 1970 at which this cell saved a calibration there, if it did
   */
  async seen(key: string, print: string, savedAt: number | undefined): Promise<CalibrationSince> {
    const known = this.#known
    const before = known.get(key)
    const now = sinceOf(before, print, savedAt, Date.now())
    if (now !== before) {
      known.delete(key)
      known.set(key, now)
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
      await this.#write()
    }
    const { since, sinceIs } = now
    return { since, sinceIs }
  }

  async #write(): Promise<void> {
    try {
      await this.#file.set(Object.fromEntries(this.#known))
    } catch {
      // Reported by the file. After a restart, the calibrations count as seen for the first time.
    }
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

/** Content of `names.json`: where a cell is, or was, at the broker. */
export const CellNames = Type.Array(
  Type.Object({
    root: Type.String(),
    plant: Type.String(),
    cell: Type.String(),
    /** Milliseconds since 1970: when the broker has dropped its state anyway. */
    until: Type.Number(),
  }),
)
type NamedCell = Static<typeof CellNames>[number]

/**
 * The names under which a cell may still have a retained state at the broker: a renamed cell takes it back, or the centre
 * would wait for a cell that does not exist. Kept until the broker was connected once.
 */
export class FormerNames {
  readonly #file: DurableValue<NamedCell[]>
  readonly #own: NamedCell
  #former: readonly NamedCell[]

  /** @param expires seconds for which the broker keeps a state */
  constructor(file: DurableValue<NamedCell[]>, { root, plant, cell }: CellName, expires: number) {
    const now = Date.now()
    const own = { root, plant, cell, until: now + 1000 * expires }
    this.#file = file
    this.#own = own
    this.#former = file.value.filter((name) => name.until > now && !isSame(name, own))
    // The present name may be a former one at the next start.
    this.#keep()
  }

  get names(): readonly CellName[] {
    return this.#former
  }

  /** The states under the former names were taken back while the broker was connected. */
  deleted(): void {
    if (this.#former.length === 0) return
    this.#former = []
    this.#keep()
  }

  #keep(): void {
    this.#file.keep([...this.#former, this.#own])
  }
}

const isSame = (one: CellName, other: CellName) =>
  one.root === other.root && one.plant === other.plant && one.cell === other.cell

/** Content of `sparkplug.json`: the number of the last connection. */
export const LastConnection = Type.Object({
  connection: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
})
export type LastConnection = Static<typeof LastConnection>
