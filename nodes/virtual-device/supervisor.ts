import type { DeviceInWorker, VirtualDeviceOptions } from '../../virtual-device'
import { detailOf, invalidInput, nodeError } from '../shared/node-error'
import { loadVirtualDevice } from './load-virtual-device'

type Scenario = Awaited<ReturnType<DeviceInWorker['scenario']>>

export type DeviceState =
  | { running: true; url: string; scenario: Scenario }
  | { running: false; starting?: true; portInUse?: boolean; error?: Error; endedByItself?: true }

/** Starts and stops one virtual device in a thread of its own, and tells of every change. */
export class Supervisor {
  readonly #options: () => Omit<VirtualDeviceOptions, 'clock'>
  readonly #changed: (state: DeviceState) => void
  #device: DeviceInWorker | undefined

  constructor(options: () => Omit<VirtualDeviceOptions, 'clock'>, changed: (state: DeviceState) => void) {
    this.#options = options
    this.#changed = changed
  }

  /** @throws INVALID_INPUT with the sentence that says why it cannot start */
  async start(): Promise<void> {
    if (this.#device) return
    this.#changed({ running: false, starting: true })
    try {
      const device = await loadVirtualDevice().startInWorker(this.#options())
      this.#device = device
      device.onExit((error) => this.#ended(device, error))
      this.#changed(await this.state())
    } catch (problem) {
      const error = invalidInput('virtual-device-not-started', { problem: detailOf(problem) }, problem)
      const { code } = problem as { code?: unknown }
      this.#changed({ running: false, error, portInUse: code === 'PORT_NOT_FREE' })
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.#device?.stop()
    this.#device = undefined
    this.#changed({ running: false })
  }

  /** @throws INVALID_INPUT with a sentence on what is wrong; nothing is applied then */
  async change(part: Partial<Scenario>): Promise<void> {
    if (!this.#device) throw invalidInput('virtual-device-stopped')
    const { url } = this.#device
    const scenario = await this.#device.setScenario(part).catch((problem: unknown) => {
      throw invalidInput('bad-scenario', { problem: detailOf(problem) }, problem)
    })
    this.#changed({ running: true, url, scenario })
  }

  async state(): Promise<DeviceState> {
    const device = this.#device
    return device ? { running: true, url: device.url, scenario: await device.scenario() } : { running: false }
  }

  #ended(device: DeviceInWorker, problem?: Error): void {
    if (this.#device !== device || !problem) return
    this.#device = undefined
    const error = nodeError('DEVICE_FAULT', 'virtual-device-ended', { problem: problem.message })
    this.#changed({ running: false, error, endedByItself: true })
  }
}
