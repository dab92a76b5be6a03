import should from 'should'
import type { RobotState } from '../../../lib/robot-motion'
import { checkMotions } from '../../../lib/robot-motion/motion'
import { identity, type Pose } from '../../../lib/robotics'
import { askFrom, MovedAway } from '../../../nodes/hand-eye-calibration/drive/confirm'
import type { DriveWork } from '../../../nodes/hand-eye-calibration/drive/settings'
import { robotFormat } from '../../../nodes/shared/poses'
import { useDriving } from './use-driving'

const start = { X: 500, Y: 100, Z: 700, A: 0, B: 0, C: 180 }

describe('a grid that is described wrongly to a robot that drives itself', function () {
  this.timeout(240_000)
  const drive = useDriving({ drive: 'flow', confirm: 'first', format: 'kuka', gridRows: 7 })
  const { bench, say, event } = drive

  it('is no reason to move the robot: wrong rows', async () => {
    say('start', start)
    const { reason, details } = await event('driving-ended')
    should(reason).equal('grid-not-seen-at-start')
    details.should.match(
      /13 × 9 squares is visible, but the settings describe one of 10 × 7\. Set the rows of the grid to 9/,
    )
    details.should.match(/Then send start\.$/).and.not.match(/[Mm]ove the robot/)
    say('look')
    ;(await event('seen-now')).details.should.match(/Set the rows of the grid to 9/).and.not.match(/Jog/)
  })

  it('is no reason to move the robot: width and height swapped', async () => {
    await bench.deploy({ gridRows: 9, gridWidth: 180, gridHeight: 260 })
    drive.listen()
    say('start', start)
    const { details } = await event('driving-ended')
    details.should.match(/Swap the width and the height of the grid/).and.not.match(/[Mm]ove the robot/)
  })

  it('is no reason to move the robot: another size', async () => {
    await bench.deploy({ gridRows: 9, gridWidth: 200, gridHeight: 180 })
    drive.listen()
    say('start', start)
    ;(await event('driving-ended')).details.should.match(/Measure the grid, correct its width and height/)
  })
})

describe('first movements that do not take place', function () {
  this.timeout(240_000)
  const drive = useDriving(
    { drive: 'flow', confirm: 'each', format: 'kuka' },
    { settings: () => ({ lang: 'de' }) },
  )
  const { say, event, reports } = drive

  it('did not lose the grid', async () => {
    drive.answers(({ request }) => {
      if (request !== undefined) say('skip', '', { request })
    })
    say('start', start)
    const { reason, details } = await event('driving-ended')
    should(reason).equal('first-moves')
    const skipped = reports.filter((report) => report.event === 'confirm-motion').length
    details.should.match(
      new RegExp(`^Keine der kleinen ersten Bewegungen fand statt: ${skipped} wurden ausgelassen`),
    )
    details.should.match(/Das Gitter ging nicht verloren/)
  })
})

describe('a robot that is moved away while a person is asked', () => {
  const at = (x: number): RobotState =>
    ({
      flange: { position: { x, y: 0, z: 0.5 }, orientation: { w: 1, x: 0, y: 0, z: 0 } },
      ...{ speed: 0, turning: 0 },
    }) as RobotState
  const [here, there] = [at(0.4), at(1.305)]

  /** Asks about a motion of 50 mm, during which the controller restarts elsewhere. */
  const askedDuring = (nowAt: RobotState, asked: (from: Pose) => void) => {
    let seen: (state: RobotState) => void = () => undefined
    let state = here
    const robot = {
      turn: { signal: new AbortController().signal },
      read: () => Promise.resolve(state),
      ready: () => Promise.resolve(state),
      check: ({ flange }: RobotState, poses: readonly Pose[]) =>
        checkMotions(flange, poses, {
          ...{ tcpOffset: identity(), pace: {} },
          limits: { speed: 1, acceleration: 1, step: 0.3, turn: 40 },
        }),
    }
    const work = {
      deployed: {
        robot,
        join: (member: { seen: typeof seen }) => {
          seen = (now) => member.seen(now)
          return () => undefined
        },
      },
      driving: { display: {} },
      step: { setup: { robot: robotFormat('format', 'kuka', 'mm') } },
    }
    const to = at(0.45).flange
    return askFrom(
      work as unknown as DriveWork,
      here.flange,
      [to],
      new AbortController().signal,
      (from, open) => {
        asked(from)
        if (state === nowAt) return Promise.resolve('go')
        const closed = new Promise<string>((_, reject) =>
          open.addEventListener('abort', () => reject(new Error('closed')), { once: true }),
        )
        state = nowAt
        seen(nowAt)
        return closed
      },
    )
  }

  it('is not told to raise its limits, but where it stood', async () => {
    const error = await askedDuring(there, () => undefined).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof MovedAway)) throw new Error(String(error))
    error.end.off.metres.should.be.approximately(0.905, 1e-9)
    error.end.expected.should.equal(here.flange)
  })

  it('is asked again from a place that is near enough', async () => {
    const near = at(0.42)
    const from: Pose[] = []
    ;(await askedDuring(near, (pose) => from.push(pose))).should.equal('go')
    from.should.deepEqual([here.flange, near.flange])
  })
})
