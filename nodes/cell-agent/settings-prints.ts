import type { FleetDevice } from '../../lib/fleet'
import { abortedAfter, startInterval } from '../../lib/timers/timers'
import type { Connection } from '../device/connection'
import { codeOf, detailOf } from '../shared/node-error'
import type { CellDevice, CellDevices } from './cell-devices'
import { loadFleet } from './load-fleet'

/** What is known of the settings of a device. */
export type SettingsPrint = Pick<
  FleetDevice,
  'fingerprint' | 'fingerprintAt' | 'fingerprintProblem' | 'calibration'
>

/** Milliseconds between two looks at what is due. */
const lookEvery = 5000
/** Milliseconds for one device. */
const patience = 60_000

interface Kept extends SettingsPrint {
  /** Milliseconds of the monotonic clock. */
  dueAt: number
}

const unknown: SettingsPrint = { fingerprint: null, calibration: null }

/** Fingerprints of the settings of all devices, made from backups one after the other, and their calibrations. */
export class SettingsPrints {
  readonly #devices: CellDevices
  /** Milliseconds; 0: none. */
  readonly #every: number
  readonly #changed: () => void
  readonly #kept = new Map<string, Kept>()
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined

  constructor(devices: CellDevices, every: number, changed: () => void) {
    this.#devices = devices
    this.#every = every
    this.#changed = changed
    if (every > 0) this.#timer = startInterval(() => this.look(), lookEvery)
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
    this.look()
  }

  /** Makes those that are due of devices that are ready. */
  look(): void {
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
      const due = this.#kept.get(device.name)?.dueAt ?? 0
      if (device.device.state === 'ready' && performance.now() >= due) await this.#make(device)
    }
  }

  async #make({ name, device }: CellDevice): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, abortedAfter(patience)])
    const dueAt = performance.now() + this.#every
    // A change that comes meanwhile makes it due again.
    this.#kept.set(name, { ...(this.#kept.get(name) ?? unknown), dueAt })
    const print = await printOf(device.connection, signal).catch((error: unknown): SettingsPrint => ({
      ...unknown,
      fingerprintProblem: (codeOf(error) ?? detailOf(error)).slice(0, 200),
    }))
    if (this.#closing.signal.aborted) return
    const due = this.#kept.get(name)?.dueAt ?? dueAt
    // A device that did not answer is asked again soon.
    const soon = performance.now() + Math.min(this.#every, patience)
    this.#kept.set(name, { ...print, dueAt: print.fingerprint === null ? Math.min(due, soon) : due })
    this.#changed()
  }
}

async function printOf(connection: Connection, signal: AbortSignal): Promise<SettingsPrint> {
  const backup = await connection.client.getBackup({}, { signal })
  return {
    fingerprint: loadFleet().fingerprintOf(backup),
    fingerprintAt: new Date().toISOString(),
    calibration: await calibrationOf(connection, signal).catch(() => null),
  }
}

/** The saved hand-eye calibration; devices do not tell when it was made. */
async function calibrationOf(
  connection: Connection,
  signal: AbortSignal,
): Promise<FleetDevice['calibration']> {
  const asked = { pipeline: '0', node: 'dev_hand_eye_calibration', signal }
  const { response } = await connection.onNode(asked, (target) => {
    const call = { node: target.node, service: 'get_calibration', args: {} }
    return target.scope === 'global'
      ? connection.client.callGlobalService(call, { signal })
      : connection.client.callService({ pipeline: target.pipeline, ...call }, { signal })
  })
  const { success, translation_error_meter: metres } = response as Record<string, unknown>
  if (success !== true) return null
  return { at: null, errorMm: typeof metres === 'number' ? Number((1000 * metres).toFixed(4)) : null }
}
