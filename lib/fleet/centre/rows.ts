import type { FleetDevice } from '../messages'
import type { Labels } from './labels'
import { addressOf } from './member'
import type { CellPicture, Picture } from './picture'

/** What the centre finds wrong with a device; beside the words of its cell. */
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

/** A device as a table shows it: no value is nested but the lists of words. */
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
  /** As its cell says; `unknown` while that is not seen. */
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
  /** Stable words of the centre, then those of the cell. */
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
