import 'should'
import fc from 'fast-check'
import { connect } from 'node:net'
import { once } from 'node:events'
import { Supervisor } from '../../nodes/virtual-device/supervisor'
import { startInWorker, type DeviceInWorker } from '../../virtual-device'
import { useBench } from '../support/bench'

/** The behaviour of a thread in a test. */
type Begin = (options: { fails: boolean }) => Promise<DeviceInWorker>

const deeds = fc.array(fc.constantFrom('start', 'failing start', 'stop', 'change'), { maxLength: 8 })

/** Whether somebody accepts connections at that port. */
async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * Starts the actions without waiting for each other, closes, and lets all of it happen in the order of the scheduler.
 */
async function closedAmong(scheduler: fc.Scheduler, asked: readonly string[], at: number, begin: Begin) {
  let fails = false
  const begun: DeviceInWorker[] = []
  const told: boolean[] = []
  const supervisor = new Supervisor(
    async () => {
      const device = await begin({ fails })
      begun.push(device)
      return device
    },
    ({ running }) => told.push(running),
  )
  const ends: Promise<unknown>[] = []
  let closed: Promise<void> | undefined
  let toldAtClose = 0
  const steps = scheduler.scheduleSequence(
    [...asked.slice(0, at), 'close', ...asked.slice(at)].map((deed) => ({
      label: deed,
      builder: () => {
        fails = deed === 'failing start'
        if (deed === 'close') {
          closed = supervisor.close()
          toldAtClose = told.length
        } else if (deed === 'stop') ends.push(supervisor.stop())
        else if (deed === 'change') ends.push(supervisor.change({ latency_ms: 1 }))
        else ends.push(supervisor.start())
        ends.at(-1)?.catch(() => undefined)
        return Promise.resolve()
      },
    })),
  )
  await scheduler.waitFor(steps.task)
  await scheduler.waitFor(closed ?? Promise.resolve())
  await scheduler.waitFor(Promise.allSettled(ends))
  told.length.should.equal(toldAtClose)
  return begun
}

describe('a virtual device that is started, stopped and closed at once', () => {
  it('never runs twice, and leaves nothing, in every order of events', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), deeds, fc.nat(8), async (scheduler, asked, at) => {
        let alive = 0
        const scenario = () =>
          scheduler.schedule(Promise.resolve({})) as ReturnType<DeviceInWorker['scenario']>
        await closedAmong(scheduler, asked, at, async ({ fails }) => {
          await scheduler.schedule(Promise.resolve(), 'thread begins')
          if (fails) throw new Error('port taken')
          ;(++alive).should.equal(1)
          return {
            url: 'http://127.0.0.1:1',
            port: 1,
            page: undefined,
            ports: {},
            scenario,
            setScenario: scenario,
            stop: async () => {
              await scheduler.schedule(Promise.resolve(), 'thread ends')
              alive--
            },
            onExit: () => undefined,
          }
        })
        alive.should.equal(0)
      }),
      { seed: 1301, numRuns: 400 },
    ))

  it('leaves no thread and no port, with real threads', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(3), async (scheduler, at) => {
        const ended: Promise<unknown>[] = []
        const asked = ['start', 'stop', 'start']
        const begun = await closedAmong(scheduler, asked, at, async () => {
          const device = await scheduler.schedule(startInWorker({ port: 0 }), 'thread begins')
          ended.push(new Promise((resolve) => device.onExit(resolve)))
          return device
        })
        await Promise.all(ended)
        for (const { port } of begun) (await isTaken(port)).should.be.false()
      }),
      { seed: 1302, numRuns: 6, endOnFailure: true },
    )).timeout(60_000)
})

describe('a deploy while a virtual device starts by a message', () => {
  const bench = useBench({ type: 'vision-virtual-device', port: 0 })

  it('ends its thread and frees its port', async () => {
    const { url } = (await bench.send({ payload: {} })).payload as { url: string }
    await bench.send({ topic: 'stop' })
    await bench.deploy({ port: Number(new URL(url).port) })
    // The new device has the port, so the previous one cannot get it any more.
    await bench.send({ topic: 'stop' })
    void bench.send({ topic: 'start' }).catch(() => undefined)
    await bench.status('starting')
    await bench.deployWithout()
    ;(await isTaken(Number(new URL(url).port))).should.be.false()
  })
})
