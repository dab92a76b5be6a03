import type { Node, NodeAPI } from 'node-red'
import type { Device } from '../device/device'
import { addressOf, deployedDevices } from '../device-config/deployed-device'
import type { LinkState } from '../shared/status'
import { sentencesOf } from '../sentences'
import type { FleetDevice, CalibrationSince } from '../../lib/fleet/messages'
import { codeOf, detailOf } from '../shared/node-error'
import { abortedAfter, startInterval } from '../../lib/kernel/timers'
import type { Connection } from '../device/connection'
import type { CalibrationAges } from './kept-files'
import { loadFleet } from '../shared/load-later'

const { invalidInput } = sentencesOf('cell-agent')

/** A device of the cell. */
export interface CellDevice {
  name: string
  device: Device
  /** As it may be shown. */
  address: string
  /** Since when the link is as it is, ISO 8601. */
  since: string
  leave: () => void
}

/** The devices of this Node-RED that the agent reports. */
export class CellDevices {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #chosen: readonly string[]
  readonly #changed: (name: string, state: LinkState) => void
  #devices = new Map<string, CellDevice>()

  /** @param chosen names; none: all */
  constructor(
    RED: NodeAPI,
    node: Node,
    chosen: readonly string[],
    changed: (name: string, state: LinkState) => void,
  ) {
    this.#RED = RED
    this.#node = node
    this.#chosen = chosen
    this.#changed = changed
  }

  /** Joins the devices that are deployed now; those that stay keep their place. */
  join(): void {
    this.leave()
    for (const [id, config] of deployedDevices(this.#RED)) {
      const plain = config.name ?? ''
      const address = addressOf(this.#RED, config)
      if (this.#chosen.length > 0 && !this.#chosen.includes(plain)) continue
      const name = unused(this.#devices, (plain || address || id).slice(0, 180), id)
      const { device } = config
      const entry: CellDevice = { name, device, address, since: now(), leave: () => undefined }
      this.#devices.set(name, entry)
      entry.leave = device.join(this.#node, (state) => {
        entry.since = now()
        this.#changed(name, state)
      })
    }
  }

  /** Before the devices close: they wait for their nodes. */
  leave(): void {
    for (const { leave } of this.#devices.values()) leave()
    this.#devices = new Map()
  }

  get all(): CellDevice[] {
    return [...this.#devices.values()]
  }

  find(name: string): CellDevice | undefined {
    return this.#devices.get(name)
  }

  /** The device that a command names; the only one, where it names none. @throws INVALID_INPUT */
  named(name: string | undefined): CellDevice {
    const { all } = this
    const found = name === undefined && all.length === 1 ? all[0] : this.#devices.get(name ?? '')
    if (!found)
      throw invalidInput('cell-no-device', {
        device: name ?? '',
        known: all.map((each) => each.name).join(', '),
      })
    return found
  }
}

const now = () => new Date().toISOString()

/** Two configurations may have the same name. */
const unused = (known: ReadonlyMap<string, unknown>, name: string, id: string) =>
  known.has(name) ? `${name} ${id}` : name

/** What is known of the settings of a device. */
type SettingsPrint = Pick<FleetDevice, 'fingerprint' | 'fingerprintAt' | 'fingerprintProblem' | 'calibration'>

/** Milliseconds between two checks of what is due. */
const lookEvery = 5000

/** Milliseconds for one device. */
const patience = 60_000

interface Kept extends SettingsPrint {
  /** Milliseconds of the monotonic clock. */
  dueAt: number
  /** When this cell had saved a calibration, as it was known then. */
  savedAt: number | undefined
}

const unknown: SettingsPrint = { fingerprint: null, calibration: null }

/** Fingerprints of the settings of all devices, made from backups one after the other, and their calibrations. */
export class SettingsPrints {
  readonly #devices: CellDevices
  /** Milliseconds; 0: none. */
  readonly #every: number
  readonly #ages: CalibrationAges
  readonly #changed: () => void
  readonly #kept = new Map<string, Kept>()
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined

  constructor(devices: CellDevices, every: number, ages: CalibrationAges, changed: () => void) {
    this.#devices = devices
    this.#every = every
    this.#ages = ages
    this.#changed = changed
    if (every > 0) this.#timer = startInterval(() => this.refresh(), lookEvery)
  }

  of(name: string): SettingsPrint {
    const { fingerprint, fingerprintAt, fingerprintProblem, calibration } = this.#kept.get(name) ?? unknown
    return {
      fingerprint,
      ...(fingerprintAt !== undefined && { fingerprintAt }),
      ...(fingerprintProblem !== undefined && { fingerprintProblem }),
      calibration,
    }
  }

  /** The settings of a device have been changed by this cell. */
  changed(name: string): void {
    const kept = this.#kept.get(name)
    if (kept) kept.dueAt = 0
    this.refresh()
  }

  /** Makes those that are due of devices that are ready. */
  refresh(): void {
    if (this.#every === 0 || this.#closing.signal.aborted) return
    this.#working ??= this.#makeAll().finally(() => {
      this.#working = undefined
    })
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#closing.abort()
    await this.#working
  }

  async #makeAll(): Promise<void> {
    for (const device of this.#devices.all) {
      if (this.#closing.signal.aborted) return
      const { dueAt = 0, savedAt } = this.#kept.get(device.name) ?? {}
      const isDue = performance.now() >= dueAt || device.device.metrics.calibrationSavedAt !== savedAt
      if (device.device.state === 'ready' && isDue) await this.#make(device)
    }
  }

  async #make({ name, device }: CellDevice): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, abortedAfter(patience)])
    const dueAt = performance.now() + this.#every
    // A change that comes meanwhile makes it due again.
    const savedAt = device.metrics.calibrationSavedAt
    this.#kept.set(name, { ...(this.#kept.get(name) ?? unknown), dueAt, savedAt })
    const print = await printOf(device.connection, signal, this.#ageOf(name, device, savedAt)).catch(
      (error: unknown): SettingsPrint => ({
        ...unknown,
        fingerprintProblem: (codeOf(error) ?? detailOf(error)).slice(0, 200),
      }),
    )
    if (this.#closing.signal.aborted) return
    const due = this.#kept.get(name)?.dueAt ?? dueAt
    // A device that did not answer is asked again soon.
    const soon = performance.now() + Math.min(this.#every, patience)
    const next = print.fingerprint === null ? Math.min(due, soon) : due
    this.#kept.set(name, { ...print, dueAt: next, savedAt })
    this.#changed()
  }

  /** A device that takes the place of another one has a calibration of its own. */
  #ageOf(name: string, { metrics }: Device, savedAt: number | undefined): AgeOf {
    return (print) => this.#ages.seen(metrics.system?.serial ?? name, print, savedAt)
  }
}

/** Since when the calibration with this print is there. */
type AgeOf = (print: string) => Promise<CalibrationSince>

async function printOf(connection: Connection, signal: AbortSignal, ageOf: AgeOf): Promise<SettingsPrint> {
  const backup = await connection.client.getBackup({}, { signal })
  return {
    fingerprint: loadFleet().fingerprintOf(backup),
    fingerprintAt: new Date().toISOString(),
    calibration: await calibrationOf(connection, signal, ageOf).catch(() => null),
  }
}

/** Status of the hand-eye calibration: no calibration is saved. */
const noneSaved = 2

/** The saved hand-eye calibration; devices do not report when it was made. */
async function calibrationOf(
  connection: Connection,
  signal: AbortSignal,
  ageOf: AgeOf,
): Promise<FleetDevice['calibration']> {
  const asked = { pipeline: '0', node: 'dev_hand_eye_calibration', signal }
  const { response } = await connection.onNode(asked, (target) => {
    const call = { node: target.node, service: 'get_calibration', args: {} }
    return target.scope === 'global'
      ? connection.client.callGlobalService(call, { signal })
      : connection.client.callService({ pipeline: target.pipeline, ...call }, { signal })
  })
  const answer = response as Record<string, unknown>
  const { success, status, pose, robot_mounted: mounted, translation_error_meter: metres } = answer
  // The device has none, or did not answer.
  if (success !== true) {
    if (status === noneSaved) await ageOf('')
    return null
  }
  const errorMm = typeof metres === 'number' ? Number((1000 * metres).toFixed(4)) : null
  return { at: null, errorMm, ...(await ageOf(loadFleet().fingerprintOf({ pose, mounted, metres }))) }
}

/** A device in the state of the cell, without requests to the device. */
export function deviceState({ name, device, address, since }: CellDevice, print: SettingsPrint): FleetDevice {
  const { state, trouble, metrics } = device
  const { system } = metrics
  const { firmware } = system ?? {}
  const { temperature } = metrics.values
  const pending = firmware?.next_boot_image === 'inactive_image'
  const code = codeOf(trouble)
  return {
    device: name,
    link: state,
    since,
    ...short('address', address),
    ...short('model', system?.model_name),
    ...short('serial', system?.serial),
    ...short('hostname', system?.hostname),
    ...short('firmware', firmware?.active_image.image_version),
    ...(pending && short('firmwarePending', firmware.inactive_image.image_version)),
    ...(temperature !== undefined && temperature > -273 && temperature < 1000 && { temperature }),
    ...print,
    problems: [...(code ? [code] : []), ...(firmware?.fallback_booted ? ['fallback-booted'] : [])],
  }
}

/** A text of the device that fits into the message. */
const short = (name: keyof FleetDevice, text: string | undefined) =>
  text ? { [name]: text.slice(0, 200) } : {}
