import { isName, isPlant, type CellState, type FleetDevice } from '../messages'
import type { Clock } from './effects'

/** A device of a cell. */
export interface Member {
  plant: string
  cell: string
  device: string
}

/** A device as people write it, `north/cell-7/left`. A device's name may contain `/`. */
export const addressOf = ({ plant, cell, device }: Member): string => `${plant}/${cell}/${device}`

/** Reads `north/cell-7/left`; undefined for any other text. */
export function readAddress(text: string): Member | undefined {
  const [plant, cell, ...rest] = text.split('/')
  const device = rest.join('/')
  return isPlant(plant) && isName(cell) && device !== '' ? { plant, cell, device } : undefined
}

/** Names for groups of plants, cells and devices, `{ "pilot": ["north/cell-1", "south"] }`. */
export class Labels {
  readonly #byPlace = new Map<string, string[]>()

  constructor(places: Readonly<Record<string, readonly string[]>> = {}) {
    for (const [label, list] of Object.entries(places))
      for (const place of list) this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), label])
  }

  /** The labels of a device: its own, those of its cell and of its plant. */
  of(plant: string, cell: string, address: string): readonly string[] {
    if (this.#byPlace.size === 0) return none
    return [plant, `${plant}/${cell}`, address].flatMap((place) => this.#byPlace.get(place) ?? [])
  }
}

const none: readonly string[] = []

/** A cell as its last state describes it. */
export interface CellPicture {
  plant: string
  cell: string
  state: CellState
  /** Steady milliseconds at which the cell wrote its state, by our clock. */
  at: number
  /** Whether its connection to the broker has been lost since. */
  gone: boolean
  /** Starts of its agent before this one, the last ones: their messages are late. */
  formerBoots: readonly string[]
}

export interface PictureOptions {
  clock: Clock
  /** @default 10 000 */
  mostCells?: number
  /** @default 20 000 */
  mostDevices?: number
}

/** How many intervals a cell may be silent. */
const patience = 2.5

const boots = 4

/** What was done with a state: `late` if a newer one is known, `full` if there are too many cells. */
export type StateReceipt = 'new' | 'same' | 'late' | 'full'

/** All cells and devices as they report themselves, in bounded memory. */
export class Picture {
  readonly #cells = new Map<string, CellPicture>()
  readonly #clock: Clock
  readonly #mostCells: number
  readonly #mostDevices: number
  #devices = 0

  constructor({ clock, mostCells = 10_000, mostDevices = 20_000 }: PictureOptions) {
    this.#clock = clock
    this.#mostCells = mostCells
    this.#mostDevices = mostDevices
  }

  /**
   * Takes over the state of a cell. Order follows `boot` and `n`, age the expiry that the broker has counted down: the
   * clock of the cell may be wrong.
   * @param left seconds until the broker drops the state; without it, the state is as old as its arrival
   */
  receive(state: CellState, left?: number): StateReceipt {
    const key = keyOf(state)
    const known = this.#cells.get(key)
    if (known && isLate(known, state)) return 'late'
    const at = this.#clock.steady() - ageOf(state, left)
    if (known?.state.boot === state.boot && known.state.n === state.n) {
      known.at = Math.max(known.at, at)
      return 'same'
    }
    const devices = this.#devices + state.devices.length - (known?.state.devices.length ?? 0)
    if (devices > this.#mostDevices || (!known && this.#cells.size >= this.#mostCells)) return 'full'
    this.#devices = devices
    const formerBoots =
      known && known.state.boot !== state.boot
        ? [known.state.boot, ...known.formerBoots].slice(0, boots)
        : (known?.formerBoots ?? [])
    const { plant, cell } = state
    this.#cells.set(key, { plant, cell, state, at, gone: false, formerBoots })
    return 'new'
  }

  /** The broker has lost the connection to the cell. */
  disconnected(plant: string, cell: string): void {
    const known = this.#cells.get(keyOf({ plant, cell }))
    if (known) known.gone = true
  }

  /** The retained state was deleted: the cell has left the fleet. */
  forget(plant: string, cell: string): void {
    const key = keyOf({ plant, cell })
    this.#devices -= this.#cells.get(key)?.state.devices.length ?? 0
    this.#cells.delete(key)
  }

  /** Forgets cells whose state has faded at the broker. */
  expire(): void {
    const now = this.#clock.steady()
    for (const { plant, cell, state, at } of this.#cells.values())
      if (now - at > 1000 * state.expires) this.forget(plant, cell)
  }

  get cells(): Iterable<CellPicture> {
    return this.#cells.values()
  }

  get size(): { cells: number; devices: number } {
    return { cells: this.#cells.size, devices: this.#devices }
  }

  cell(plant: string, cell: string): CellPicture | undefined {
    return this.#cells.get(keyOf({ plant, cell }))
  }

  device({ plant, cell, device }: Member): FleetDevice | undefined {
    return this.cell(plant, cell)?.state.devices.find((one) => one.device === device)
  }

  /** Whether the cell can be expected to receive a command. */
  isSeen(cell: CellPicture): boolean {
    return !cell.gone && this.ageOf(cell) <= patience * cell.state.every
  }

  /** Seconds since the cell wrote its state. */
  ageOf({ at }: CellPicture): number {
    return (this.#clock.steady() - at) / 1000
  }
}

const keyOf = ({ plant, cell }: { plant: string; cell: string }) => `${plant}/${cell}`

const isLate = ({ state, formerBoots }: CellPicture, { boot, n }: CellState) =>
  formerBoots.includes(boot) || (state.boot === boot && n < state.n)

/** Milliseconds. The broker passes on what is left of the expiry, so a state that it has kept is older by the rest. */
const ageOf = ({ expires }: CellState, left = expires) => 1000 * Math.max(0, expires - left)

/** Problems of a device that the centre finds, beside those that its cell reports. */
export const ownProblems = [
  'not-seen',
  'gone',
  'not-ready',
  'no-fingerprint',
  /** Its cell is not seen, and a device with its serial number is elsewhere. */
  'moved',
  /** Another device that is seen has its serial number. */
  'serial-twice',
] as const

export type OwnProblem = (typeof ownProblems)[number]

/** A device as a table row: only the lists of codes are nested. */
export interface DeviceRow {
  /** `north/cell-7/left` */
  address: string
  plant: string
  cell: string
  device: string
  labels: readonly string[]
  /** Whether its cell is seen. */
  seen: boolean
  /** Seconds since the cell wrote its state. */
  age: number
  /** As its cell reports it; `unknown` while the cell is not seen. */
  link: string
  host: string
  model: string
  serial: string
  /** Address of another device with the same serial number that is seen; empty: none. */
  sameSerialAs: string
  firmware: string
  firmwarePending: string
  /** Degrees Celsius. */
  temperature: number | null
  fingerprint: string | null
  /** ISO 8601, by the clock of the cell. */
  calibratedAt: string | null
  /** ISO 8601: since when the cell knows the calibration, and how it knows: `saved`, `changed` or `seen`. */
  calibratedSince: string | null
  calibratedSinceIs: string
  /** Millimetres. */
  calibrationError: number | null
  /** Id and progress of the job on it, `update-firmware 40 %`. */
  working: string
  /** Stable codes of the centre, then those of the cell. */
  problems: readonly string[]
  /** 2: it cannot be reached or does not answer; 1: something is to be looked at; 0: nothing. */
  severity: 0 | 1 | 2
}

/** The rows of all devices. */
export function* rowsOf(picture: Picture, labels: Labels): Generator<DeviceRow> {
  const serials = seenSerials(picture)
  for (const cell of picture.cells) {
    const seen = picture.isSeen(cell)
    const age = Math.round(picture.ageOf(cell))
    for (const device of cell.state.devices) {
      const address = addressOf({ ...cell, device: device.device })
      const sameSerialAs = otherOf(serials, device, address)
      yield rowOf(cell, device, { address, sameSerialAs, seen, age, labels })
    }
  }
}

/** The addresses of the devices that are seen, by serial number. */
export function seenSerials(picture: Picture): ReadonlyMap<string, readonly string[]> {
  const serials = new Map<string, string[]>()
  for (const cell of picture.cells)
    if (picture.isSeen(cell))
      for (const { device, serial = '' } of cell.state.devices) {
        const address = addressOf({ ...cell, device })
        const known = serials.get(serial)
        if (known) known.push(address)
        else if (serial !== '') serials.set(serial, [address])
      }
  return serials
}

/** Where a device with the same serial number is seen; empty: nowhere else. */
export const otherOf = (
  serials: ReadonlyMap<string, readonly string[]>,
  { serial = '' }: FleetDevice,
  address: string,
): string => serials.get(serial)?.find((each) => each !== address) ?? ''

interface OfCell {
  address: string
  sameSerialAs: string
  seen: boolean
  age: number
  labels: Labels
}

function rowOf(
  cell: CellPicture,
  device: FleetDevice,
  { address, sameSerialAs, seen, age, labels }: OfCell,
): DeviceRow {
  const { plant, cell: name } = cell
  const own = problemsOf(cell, device, { seen, sameSerialAs })
  const job = cell.state.working.find((one) => one.device === device.device)
  return {
    address,
    plant,
    cell: name,
    device: device.device,
    labels: labels.of(plant, name, address),
    seen,
    age,
    link: seen ? device.link : 'unknown',
    host: device.address ?? '',
    model: device.model ?? '',
    serial: device.serial ?? '',
    sameSerialAs,
    firmware: device.firmware ?? '',
    firmwarePending: device.firmwarePending ?? '',
    temperature: device.temperature ?? null,
    fingerprint: device.fingerprint,
    calibratedAt: device.calibration?.at ?? null,
    calibratedSince: device.calibration?.since ?? null,
    calibratedSinceIs: device.calibration?.sinceIs ?? '',
    calibrationError: device.calibration?.errorMm ?? null,
    working: job ? `${job.do} ${job.percent === undefined ? '' : `${Math.round(job.percent)} %`}`.trim() : '',
    problems: [...own, ...device.problems],
    severity: severityOf(own, device.problems),
  }
}

const outages: ReadonlySet<OwnProblem> = new Set(['not-seen', 'gone', 'not-ready'])

const severityOf = (own: readonly OwnProblem[], ofCell: readonly string[]): DeviceRow['severity'] =>
  own.some((one) => outages.has(one))
    ? 2
    : ofCell.length > 0 || own.some((one) => one !== 'no-fingerprint')
      ? 1
      : 0

function problemsOf(
  { gone }: CellPicture,
  { link, fingerprintProblem }: FleetDevice,
  { seen, sameSerialAs }: Pick<OfCell, 'seen' | 'sameSerialAs'>,
) {
  const problems: OwnProblem[] = []
  if (!seen) problems.push(sameSerialAs ? 'moved' : gone ? 'gone' : 'not-seen')
  // While its cell is not seen, nothing is known of the device.
  else if (link !== 'ready') problems.push('not-ready')
  if (seen && sameSerialAs) problems.push('serial-twice')
  if (fingerprintProblem !== undefined) problems.push('no-fingerprint')
  return problems
}

/** Problems first, then by name. */
export const problemsFirst = (one: DeviceRow, other: DeviceRow): number =>
  other.severity - one.severity || (one.address < other.address ? -1 : 1)
