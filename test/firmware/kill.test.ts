import { fork } from 'node:child_process'
import { join } from 'node:path'
import should from 'should'
import { endOf } from '../support/end-of'
import type { firmware } from '../../lib'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { seededRandom } from '../../virtual-device/values'
import { freePorts } from '../support/free-ports'
import { usePrograms } from '../virtual-device/support/program'
import { useFolder } from '../virtual-device/support/temporary-folder'
import { send } from '../virtual-device/support/use-device'
import type { Point } from './points'
import { carryOut, kinds, type Job, type Kind } from './runs'

const long = Boolean(process.env.CELLSIGHT_LONG)
const seed = Number(process.env.CELLSIGHT_SEED ?? 1)
/** Number of kills of each victim. */
const count = long ? 100 : 10
const atOnce = 5
const names = Object.keys(kinds) as Kind[]

const deviceScenario = (kind: Kind) => ({
  boot_seconds: 0.6,
  boot_502_seconds: 0.05,
  update_seconds: 0.1,
  ...(kind === 'bootFails' && { next_update: 'boot_fails' }),
})

describe('a firmware update', function () {
  this.timeout(long ? 1_800_000 : 300_000)
  const folder = useFolder()
  const programs = usePrograms()
  let devices = 0

  /** A device in a process of its own, and a job on it. */
  const setUp = async (name: string, kind: Kind) => {
    // A serial number of its own.
    const own = `${++devices}`
    // It must be free after each power cut.
    const [port = 0] = await freePorts(1)
    const args = [
      '--port',
      String(port),
      '--seed',
      own,
      '--state',
      folder.path(name),
      '--scenario',
      JSON.stringify(deviceScenario(kind)),
    ]
    let device = await programs.start(...args)
    const job: Job = { address: device.url, folder: folder.path(name), source: folder.path('artifact'), kind }
    return {
      job,
      /** Cuts its power, and restores it. */
      killDevice: async () => {
        await device.kill('SIGKILL')
        device = await programs.start(...args)
      },
      runs: async () => {
        const { body } = await send('GET', `${job.address}/api/v2/system/update`)
        const { active_image, next_boot_image } = body as Record<string, { image_version: string }>
        return {
          active: active_image?.image_version,
          pending: next_boot_image === ('inactive_image' as unknown),
        }
      },
      end: () => device.kill('SIGKILL'),
    }
  }

  /** Runs the program once; undefined if it was killed. */
  const program = async (job: Job, killAt?: Point): Promise<firmware.Report | undefined> => {
    const child = fork(join(__dirname, 'runner.js'), [JSON.stringify({ job, killAt })], { execArgv: [] })
    let said: { report?: firmware.Report; failed?: string } = {}
    child.on('message', (message: typeof said) => (said = message))
    await endOf(child)
    if (said.failed !== undefined) throw new Error(said.failed)
    return said.report
  }

  /** Every point of an undisturbed run of that kind. */
  const pointsOf = async (kind: Kind): Promise<Point[]> => {
    const { job, end } = await setUp(`all ${kind}`, kind)
    const points: Point[] = []
    ;(await carryOut(job, (point) => points.push(point))).outcome.should.equal(kinds[kind])
    await end()
    return points
  }

  let known: Promise<Record<Kind, Point[]>> | undefined
  /** Points of all kinds: the start of each step, and places inside it. */
  const drawn = async (random: () => number) => {
    known ??= Promise.all(
      names.map(async (kind): Promise<[Kind, Point[]]> => [kind, await pointsOf(kind)]),
    ).then((found) => Object.fromEntries(found) as Record<Kind, Point[]>)
    const all = await known
    return Array.from({ length: count }, (_, index) => {
      const kind = names[index % names.length] ?? 'good'
      const points = all[kind]
      const steps = [...new Set(points.map(({ step }) => step))]
      const step = steps[Math.floor(random() * steps.length)]
      const inStep = points.filter((point) => point.step === step)
      const inside = random() < 0.7 ? Math.floor(random() * inStep.length) : 0
      return { kind, point: inStep[inside] ?? { step: 'check' as const, nth: 0 } }
    })
  }

  const check = async (
    kind: Kind,
    { step }: Point,
    report: firmware.Report,
    device: Awaited<ReturnType<typeof setUp>>,
  ) => {
    report.outcome.should.equal(kinds[kind])
    should(await device.runs()).eql({ active: report.active, pending: false })
    report.active.should.equal(
      { good: 'v2.0.0', bootFails: 'v1.1.0', spoilt: 'v1.1.0', back: 'v1.0.0' }[kind],
    )
    report.text.should.containEql(report.active)
    // Only what was killed before its last byte was sent has to be sent again.
    const again = ['check', 'backup', 'upload', 'write'].includes(step)
    report.uploads.should.be.belowOrEqual(kind === 'back' ? 0 : again ? 2 : 1)
  }

  const each = async (task: (kind: Kind, point: Point, name: string) => Promise<void>) => {
    await writeArtifact(folder.path('artifact'), { version: 'v2.0.0', size: 1_500_000 })
    const left = (await drawn(seededRandom(seed))).entries()
    let failed = false
    const worker = async () => {
      for (const [index, { kind, point }] of left)
        try {
          if (failed) return
          await task(kind, point, `run ${index}`)
        } catch (error) {
          failed = true
          const where = `CELLSIGHT_SEED=${seed}, run ${index}: ${kind}, ${point.step} ${point.nth}`
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error })
        }
    }
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker))
    for (const end of ends) if (end.status === 'rejected') throw end.reason as Error
  }

  it(`ends with one version and reports which, wherever the program is killed (${count} points)`, () =>
    each(async (kind, point, name) => {
      const device = await setUp(name, kind)
      const report = (await program(device.job, point)) ?? (await program(device.job))
      if (!report) throw new Error('the program said nothing')
      await check(kind, point, report, device)
      await device.end()
    }))

  it(`ends with one version and reports which, wherever the device is killed (${count} points)`, () =>
    each(async (kind, { step, nth }, name) => {
      const device = await setUp(name, kind)
      let restarted: Promise<void> | undefined
      const reached = (point: Point) => {
        if (point.step === step && point.nth === nth) restarted ??= device.killDevice()
      }
      const report = await carryOut(device.job, reached).catch(async (error: unknown) => {
        // What had not begun when the device went down is begun again.
        should(error).have.property('code', 'UNREACHABLE')
        await restarted
        return carryOut(device.job, () => undefined)
      })
      await restarted
      await check(kind, { step, nth }, report, device)
      await device.end()
    }))
})
