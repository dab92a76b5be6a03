import should from 'should'
import type { SysInfo } from '../../lib/contract'
import { VisionError } from '../../lib/client/vision-error'
import type { Client } from '../../lib/client/create-client'
import { Journal } from '../../lib/firmware/journal'
import { Run } from '../../lib/firmware/run'
import { ProgressReporter } from '../../lib/firmware/progress-reporter'
import { keepDestination } from '../../lib/streams'
import { untilRestarted } from '../../lib/system/reboot'
import { retryForever } from '../../nodes/shared/retry-forever'
import { MovedClock } from '../support/moved-clock'

/** Asks a device again and again, until it is ended. */
type Loop = (ask: () => Promise<never>, signal: AbortSignal) => Promise<unknown>

const name = 'cell'
const address = 'http://127.0.0.1:9'
const system = { serial: '1', uptime: 100, ready: true } as SysInfo

const loops: Record<string, Loop> = {
  'a kept destination': async (getStream, signal) => {
    const client = { address, getStream, addDestination: getStream, removeDestination: getStream }
    const options = { client, stream: 'imu', destination: '127.0.0.1:40001' }
    const keeper = keepDestination(options, { onChange: () => undefined })
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await keeper.close()
  },
  'a restart': (getSystem, signal) =>
    untilRestarted(
      { name, address, getSystem, reboot: getSystem },
      { system, mark: { uptime: 100, asked: 0, answered: 0 } },
      undefined,
      { signal, readyWithin: 86_400 },
    ),
  'a firmware update': (ask, signal) => {
    const client = { name, address } as Client
    const run = new Run(
      { client, signal, backups: 'backups', journals: 'journals', timing: { patience: 86_400 } },
      new Journal('journals', undefined),
      new ProgressReporter('update', undefined, name, undefined),
    )
    return run.patiently(ask)
  },
  'what a node repeats for ever': (ask, signal) => retryForever(signal, () => undefined, ask),
}

describe('what asks a device again and again', () => {
  let clock: MovedClock
  let end: AbortController
  beforeEach(() => {
    clock = new MovedClock()
    end = new AbortController()
  })
  afterEach(() => clock.stop())

  /** When the device was asked within so many seconds, ms. */
  async function asked(loop: Loop, error: VisionError, seconds: number, meanwhile?: () => void) {
    const at: number[] = []
    const { signal } = end
    const ask = () => {
      if (signal.aborted) return Promise.reject(new VisionError({ code: 'ABORTED', key: 'aborted' }))
      at.push(clock.now)
      return Promise.reject(error)
    }
    const ended = loop(ask, signal).catch(() => undefined)
    await clock.move(500)
    meanwhile?.()
    await clock.move(1000 * seconds - 500)
    end.abort()
    await clock.move(1000)
    await ended
    return at
  }
  const limited = (retryAfter: number) =>
    new VisionError({ code: 'RATE_LIMITED', key: 'rate-limited', cause: { retryAfter } })
  const starting = (retryAfter: number) =>
    new VisionError({ code: 'STARTING', key: 'starting', cause: { retryAfter } })

  for (const [what, loop] of Object.entries(loops))
    for (const [wanted, waited] of [
      [7, 7],
      [86_400, 300],
      [1e12, 300],
    ] as const)
      for (const refusal of [limited, starting])
        it(`${what}: leaves a device that asks for ${wanted} s alone for ${waited} s (${refusal(1).code})`, async () => {
          const at = await asked(loop, refusal(wanted), 2 * waited + 2)
          should(at).deepEqual([0, 1000 * waited, 2000 * waited])
        })

  it('a kept destination: is not woken while the device asks to wait, and closes at once', async () => {
    let keeper: ReturnType<typeof keepDestination> | undefined
    const loop: Loop = async (getStream, signal) => {
      const client = { address, getStream, addDestination: getStream, removeDestination: getStream }
      const options = { client, stream: 'imu', destination: '127.0.0.1:40001' }
      keeper = keepDestination(options, { onChange: () => undefined })
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await keeper.close()
    }
    should(await asked(loop, limited(60), 59, () => keeper?.look())).deepEqual([0])
  })
})
