import type { ParameterReading } from '../../../lib/fleet/sparkplug/metrics'
import { abortedAfter } from '../../../lib/kernel/timers'
import { inPipeline } from '../../device/known-nodes'
import type { CellDevice, CellDevices } from '../cell-devices'

/** Milliseconds for one device. */
const patience = 30_000

interface KnownReadings {
  readings: readonly ParameterReading[]
  /** Milliseconds of the monotonic clock. */
  dueAt: number
  isReading: boolean
}

/** The values of the parameters that hosts see, read now and then and after each command. */
export class ParameterValues {
  readonly #devices: CellDevices
  /** Names of parameters by their node. */
  readonly #wanted = new Map<string, string[]>()
  /** Milliseconds. */
  readonly #every: number
  readonly #known = new Map<string, KnownReadings>()
  readonly #closing = new AbortController()

  /** @param paths `dev_camera/fps` @param every milliseconds */
  constructor(devices: CellDevices, paths: readonly string[], every: number) {
    this.#devices = devices
    this.#every = every
    for (const path of paths) {
      const slash = path.indexOf('/')
      const node = path.slice(0, slash)
      this.#wanted.set(node, [...(this.#wanted.get(node) ?? []), path.slice(slash + 1)])
    }
  }

  of(name: string): readonly ParameterReading[] {
    return this.#known.get(name)?.readings ?? []
  }

  /** A command may have changed them. */
  changed(name: string): void {
    const known = this.#known.get(name)
    if (known) known.dueAt = 0
  }

  /** Reads what is due. */
  look(): void {
    if (this.#wanted.size === 0 || this.#closing.signal.aborted) return
    for (const target of this.#devices.all) {
      const known = this.#known.get(target.name) ?? { readings: [], dueAt: 0, isReading: false }
      this.#known.set(target.name, known)
      if (known.isReading || target.device.state !== 'ready' || performance.now() < known.dueAt) continue
      known.isReading = true
      known.dueAt = performance.now() + this.#every
      void this.#read(target)
        .then((readings) => {
          known.readings = readings
        })
        // The next time may do; the link tells why it did not.
        .catch(() => undefined)
        .finally(() => {
          known.isReading = false
        })
    }
  }

  close(): void {
    this.#closing.abort()
  }

  async #read({ device: { connection } }: CellDevice): Promise<ParameterReading[]> {
    const signal = AbortSignal.any([this.#closing.signal, abortedAfter(patience)])
    const readings: ParameterReading[] = []
    for (const [node, names] of this.#wanted) {
      const records = await connection.onNode({ pipeline: '0', node, signal }, (target) =>
        connection.client.getParameters(inPipeline(target), { signal }),
      )
      for (const name of names) {
        const record = records.find((one) => one.name === name)
        if (record) readings.push({ path: `${node}/${name}`, type: record.type, value: record.value })
      }
    }
    return readings
  }
}
