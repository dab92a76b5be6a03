import type { FleetDevice } from '../messages'
import type { Labels } from './labels'
import { addressOf } from './member'
import type { CellPicture, Picture } from './picture'

/** What the centre finds wrong with a device; beside the words of its cell. */
export const ownProblems = ['not-seen', 'gone', 'not-ready', 'no-fingerprint'] as const
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
  link: string
  host: string
  model: string
  serial: string
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
  for (const cell of picture.cells) {
    const seen = picture.isSeen(cell)
    const age = Math.round(picture.ageOf(cell))
    for (const device of cell.state.devices) yield rowOf(cell, device, { seen, age, labels })
  }
}

interface OfCell {
  seen: boolean
  age: number
  labels: Labels
}

function rowOf(cell: CellPicture, device: FleetDevice, { seen, age, labels }: OfCell): DeviceRow {
  const { plant, cell: name } = cell
  const own = problemsOf(cell, device, seen)
  const address = addressOf({ plant, cell: name, device: device.device })
  const job = cell.state.working.find((one) => one.device === device.device)
  return {
    address,
    plant,
    cell: name,
    device: device.device,
    labels: labels.of(plant, name, address),
    seen,
    age,
    link: device.link,
    host: device.address ?? '',
    model: device.model ?? '',
    serial: device.serial ?? '',
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
    severity: own.some((one) => one !== 'no-fingerprint') ? 2 : device.problems.length > 0 ? 1 : 0,
  }
}

function problemsOf({ gone }: CellPicture, { link, fingerprintProblem }: FleetDevice, seen: boolean) {
  const problems: OwnProblem[] = []
  if (!seen) problems.push(gone ? 'gone' : 'not-seen')
  // While its cell is not seen, nothing is known of the device.
  else if (link !== 'ready') problems.push('not-ready')
  if (fingerprintProblem !== undefined) problems.push('no-fingerprint')
  return problems
}

/** Problems first, then by name. */
export const problemsFirst = (one: DeviceRow, other: DeviceRow): number =>
  other.severity - one.severity || (one.address < other.address ? -1 : 1)
