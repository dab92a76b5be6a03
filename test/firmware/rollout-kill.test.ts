import { fork } from 'node:child_process'
import { join } from 'node:path'
import should from 'should'
import { endOf } from '../support/end-of'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { seededRandom } from '../../virtual-device/values'
import { useFolder } from '../virtual-device/support/temporary-folder'
import { quickBoot } from './firmware-bench'
import { rollOut, type End, type RolloutJob } from './rollouts'

const long = Boolean(process.env.CELLSIGHT_LONG)
const seed = Number(process.env.CELLSIGHT_SEED ?? 1)
/** Number of points of each kind at which it is killed. */
const count = long ? 40 : 1
/** Programs that run at the same time. */
const atOnce = 4
/** Kills in one run. */
const kills = 2

/** The events of a rollout to three devices, two at once, and its outcome for each. */
const kinds: Record<string, Pick<RolloutJob, 'approves' | 'stopAfter'> & { bad?: number; ends: End[] }> = {
  good: { approves: true, stopAfter: 1, ends: ['updated', 'updated', 'updated'] },
  denied: { approves: false, stopAfter: 1, ends: ['updated', 'updated', 'skipped'] },
  'that fails once too often': {
    approves: true,
    stopAfter: 1,
    bad: 1,
    ends: ['updated', 'BAD_REQUEST', 'skipped'],
  },
  'that may fail once': {
    approves: true,
    stopAfter: 2,
    bad: 1,
    ends: ['updated', 'BAD_REQUEST', 'updated'],
  },
}

describe('a rollout to several devices', function () {
  this.timeout(long ? 1_800_000 : 300_000)
  const folder = useFolder()
  const random = seededRandom(seed)

  const setUp = async (name: string, kind: keyof typeof kinds) => {
    const { approves = true, stopAfter = 1, bad } = kinds[kind] ?? {}
    const devices: VirtualDevice[] = []
    // Running for a while, like those that are usually updated.
    let ahead = 0
    const clock = { now: () => Date.now() / 1000 + ahead }
    for (let index = 0; index < 3; index++)
      devices.push(
        await startVirtualDevice({
          port: 0,
          clock,
          // A serial number of its own.
          seed: Math.floor(random() * 1e9),
          scenario: { ...quickBoot, ...(index === bad && { next_update: 'corrupt' }) },
        }),
      )
    ahead = 100
    const job: RolloutJob = {
      addresses: devices.map(({ url }) => url),
      folder: folder.path(name),
      source: folder.path('artifact'),
      approves,
      stopAfter,
    }
    return {
      job,
      deeds: (id: string) =>
        devices.map((device) => device.calls().filter(({ operation }) => operation === id).length),
      end: () => Promise.all(devices.map((device) => device.stop())),
    }
  }

  /** Runs the program once; undefined if it was killed. */
  const program = async (job: RolloutJob, killAt?: number): Promise<End[] | undefined> => {
    const child = fork(join(__dirname, 'rollout-runner.js'), [JSON.stringify({ job, killAt })], {
      execArgv: [],
    })
    let said: { ends?: End[]; failed?: string } = {}
    child.on('message', (message: typeof said) => (said = message))
    await endOf(child)
    if (said.failed !== undefined) throw new Error(said.failed)
    return said.ends
  }

  /** Kills a rollout at each of these points in turn, and lets it finish. */
  const survives = async (kind: keyof typeof kinds, name: string, points: readonly number[], ends: End[]) => {
    const { job, deeds, end } = await setUp(name, kind)
    try {
      let result: End[] | undefined
      for (const point of points) result ??= await program(job, point)
      result ??= await program(job)
      const where = `CELLSIGHT_SEED=${seed}, ${name}, killed at ${points.join(' and ')}`
      should(result).deepEqual(ends, where)
      // What must not begin did not begin, and everything was done only once.
      const reboots = ends.map((each) => (each === 'updated' ? 1 : 0))
      deeds('reboot').should.deepEqual(reboots, where)
      for (const [index, uploads] of deeds('uploadFirmware').entries()) {
        const isLeft = ends[index] === 'skipped'
        uploads.should.be.within(isLeft ? 0 : 1, isLeft ? 0 : 1 + kills, where)
      }
    } finally {
      await end()
    }
  }

  /** Number of points in an undisturbed rollout of that kind. */
  const pointsOf = async (kind: keyof typeof kinds, ends: End[]) => {
    const { job, end } = await setUp(`all ${kind}`, kind)
    let points = 0
    ;(await rollOut(job, () => points++)).should.deepEqual(ends)
    await end()
    return points
  }

  it(`ends as if nobody had killed the program (${count} times at ${kills} points of each kind)`, async () => {
    await writeArtifact(folder.path('artifact'), { version: 'v2.0.0', size: 600_000 })
    const each = Object.entries(kinds)
    const points = await Promise.all(each.map(([kind, { ends }]) => pointsOf(kind, ends)))
    const runs = each.flatMap(([kind, { ends }], index) =>
      Array.from({ length: count }, (_, run) => {
        const drawn = Array.from({ length: kills }, () => Math.floor(random() * (points[index] ?? 0)))
        return () => survives(kind, `${kind} ${run}`, drawn, ends)
      }),
    )
    const left = runs.values()
    const worker = async () => {
      for (const run of left) await run()
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  })
})
