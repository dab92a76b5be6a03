import { settled } from '../../lib/kernel/scope'
import type { DeviceInWorker } from '../../virtual-device'
import { detailOf } from '../shared/node-error'
import { PortNotFree } from './port'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('virtual-device')

type Scenario = Awaited<ReturnType<DeviceInWorker['scenario']>>

export type DeviceState =
  | { running: true; url: string; page?: string; ports: DeviceInWorker['ports']; scenario: Scenario }
  | {
      running: false
      starting?: true
      portInUse?: boolean
      freePort?: number
      error?: Error
      endedByItself?: true
    }

/** One device in a thread. Actions run in order: a device that is still starting would otherwise outlive its stop. */
export class Supervisor {
  readonly #begin: () => Promise<DeviceInWorker>
  readonly #changed: (state: DeviceState) => void
  #device: DeviceInWorker | undefined
  #lastDeed: Promise<unknown> = Promise.resolve()
  #closed = false

  /** @param begin rejects or throws with the reason */
  constructor(begin: () => Promise<DeviceInWorker>, changed: (state: DeviceState) => void) {
    this.#begin = begin
    this.#changed = (state) => {
      if (!this.#closed) changed(state)
    }
  }

  /** @throws INVALID_INPUT with the reason; ABORTED after `close` */
  start(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#closed) throw nodeError('ABORTED', 'node-closed')
      if (this.#device) return
      this.#changed({ running: false, starting: true })
      try {
        const device = await this.#begin()
        this.#device = device
        device.onExit((error) => this.#ended(device, error))
        this.#changed(await this.state())
      } catch (problem) {
        const isPort = problem instanceof PortNotFree
        const key = isPort ? 'virtual-device-no-port' : 'virtual-device-not-started'
        const error = invalidInput(key, { problem: detailOf(problem) }, problem)
        const { code } = problem as { code?: unknown }
        const freePort = isPort ? problem.freePort : undefined
        this.#changed({
          ...{ running: false, error, portInUse: code === 'PORT_NOT_FREE' },
          ...(freePort !== undefined && { freePort }),
        })
        throw error
      }
    })
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#device?.stop()
      this.#device = undefined
      this.#changed({ running: false })
    })
  }

  /** Final and without reports; pending starts are dropped. */
  close(): Promise<void> {
    this.#closed = true
    return this.stop()
  }

  /** @throws INVALID_INPUT with the reason; nothing is then applied */
  change(part: Partial<Scenario>): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#device) throw invalidInput('virtual-device-stopped')
      const place = placeOf(this.#device)
      const scenario = await this.#device.setScenario(part).catch((problem: unknown) => {
        throw invalidInput('bad-scenario', { problem: detailOf(problem) }, problem)
      })
      this.#changed({ running: true, ...place, scenario })
    })
  }

  async state(): Promise<DeviceState> {
    const device = this.#device
    if (!device) return { running: false }
    return { running: true, ...placeOf(device), scenario: await device.scenario() }
  }

  #inTurn<Result>(deed: () => Promise<Result>): Promise<Result> {
    const turn = this.#lastDeed.then(deed)
    this.#lastDeed = settled(turn)
    return turn
  }

  #ended(device: DeviceInWorker, problem?: Error): void {
    if (this.#device !== device || !problem) return
    this.#device = undefined
    const error = nodeError('DEVICE_FAULT', 'virtual-device-ended', { problem: problem.message })
    this.#changed({ running: false, error, endedByItself: true })
  }
}

const placeOf = ({ url, page, ports }: DeviceInWorker) => ({
  url,
  ...(page !== undefined && { page }),
  ports,
})
