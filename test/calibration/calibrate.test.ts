import should from 'should'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  startCalibration,
  type CalibrationParts,
  attemptsToKeep,
  cameraMovement,
  readAttempts,
} from '../../lib/calibration'
import {
  distance,
  isSighting,
  type Attempt,
  type Purpose,
  composed,
  ofRotationVector,
  radians,
  type Pose,
} from '../../lib/robotics'
import { journalInMemory, partsOf, simulatedCell } from './simulated-cell'
import { randomPoses } from '../../bench/support/pose-lists'
import { observed, sheetCell } from '../../bench/support/sheet-sets'

const run = (parts: CalibrationParts) => startCalibration(parts).end

describe('a calibration in which the robot drives itself', () => {
  for (const robotMounted of [true, false])
    it(`ends near the truth from one pose, with the camera ${robotMounted ? 'on the robot' : 'fixed'}`, async () => {
      const cell = simulatedCell(robotMounted)
      const end = await run(partsOf(cell, journalInMemory()))
      if (end.kind !== 'done') throw new Error(end.kind)
      distance(end.result.camera.position, cell.cell.camera.position).should.be.below(0.002)
      end.result.translationBound.should.be.belowOrEqual(0.001)
    })

  it('asks before each movement, and notes each look before the next question', async () => {
    const cell = simulatedCell(true)
    const journal = journalInMemory()
    const noted: number[] = []
    const parts = partsOf(cell, journal, {
      confirm: () => {
        noted.push(journal.attempts.length)
        return Promise.resolve('go')
      },
    })
    await run(parts)
    noted.should.deepEqual(parts.asked.map((_, index) => index + 1))
  })

  it('moves nothing without a permission', async () => {
    const cell = simulatedCell(true)
    ;(
      await run(partsOf(cell, journalInMemory(), { confirm: () => Promise.resolve('stop') }))
    ).should.deepEqual({
      kind: 'stopped',
    })
    cell.passed.should.be.empty()
  })

  it('moves nothing while it waits for an answer, until it is stopped', async () => {
    const cell = simulatedCell(true)
    let isAsked: (() => void) | undefined
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    const never = () => {
      isAsked?.()
      return new Promise<never>(() => undefined)
    }
    const calibration = startCalibration(partsOf(cell, journalInMemory(), { confirm: never }))
    await asked
    calibration.stop()
    ;(await calibration.end).should.deepEqual({ kind: 'stopped' })
    cell.passed.should.be.empty()
  })

  it('leaves out a pose that a person skips, and never goes there', async () => {
    const cell = simulatedCell(true)
    const journal = journalInMemory()
    let views = 0
    const parts = partsOf(cell, journal, {
      confirm: ({ purpose }) => Promise.resolve(purpose === 'view' && (views += 1) === 2 ? 'skip' : 'go'),
    })
    ;(await run(parts)).kind.should.equal('done')
    const skipped = journal.attempts.filter((each) => each.skipped)
    skipped.length.should.equal(1)
    for (const pose of cell.passed)
      distance(pose.position, skipped[0]?.robot.position ?? pose.position).should.be.above(0.005)
  })

  it('holds in a pause, and goes on after it', async () => {
    const cell = simulatedCell(true)
    const journal = journalInMemory()
    const atPause: number[] = []
    const calibration = startCalibration(
      partsOf(cell, journal, {
        confirm: () => {
          if (journal.attempts.length === 3 && !atPause.length) {
            calibration.pause()
            atPause.push(cell.passed.length)
            // Later than anything that the pause should hold.
            setImmediate(() =>
              setImmediate(() => {
                atPause.push(cell.passed.length)
                calibration.resume()
              }),
            )
          }
          return Promise.resolve('go')
        },
      }),
    )
    ;(await calibration.end).kind.should.equal('done')
    should(atPause[1]).equal(atPause[0])
  })

  it('stops in the middle of a movement, and another run goes on when the robot is where it was left', async () => {
    const cell = simulatedCell(false)
    const journal = journalInMemory()
    const calibration = startCalibration(partsOf(cell, journal))
    cell.faults.during = () => {
      if (journal.attempts.length === 8) calibration.stop()
    }
    ;(await calibration.end).should.deepEqual({ kind: 'stopped' })
    journal.attempts.length.should.equal(8)

    delete cell.faults.during
    const left = journal.attempts.at(-1)?.robot
    const end = await run(partsOf(cell, journal))
    if (end.kind === 'elsewhere') {
      // The stop came on the way: a person moves the robot back.
      end.expected.should.deepEqual(left)
      cell.hand = end.expected
      ;(await run(partsOf(cell, journal))).kind.should.equal('done')
    } else end.kind.should.equal('done')
  })

  it('says where the robot was left if it stands elsewhere, and moves nothing', async () => {
    const cell = simulatedCell(true)
    const journal = journalInMemory()
    let asked = 0
    const parts = partsOf(cell, journal, { confirm: () => Promise.resolve((asked += 1) > 4 ? 'stop' : 'go') })
    await run(parts)
    const before = cell.passed.length
    const { position, orientation } = cell.hand
    cell.hand = { position: { ...position, z: position.z + 0.05 }, orientation }
    const end = await run(partsOf(cell, journal))
    end.should.match({ kind: 'elsewhere' })
    if (end.kind === 'elsewhere') end.off.metres.should.be.approximately(0.05, 1e-9)
    cell.passed.length.should.equal(before)
  })

  it('ends if the robot does not stand still, or not where it was sent', async () => {
    const restless = simulatedCell(true)
    restless.faults.restless = true
    ;(await run(partsOf(restless, journalInMemory()))).should.deepEqual({ kind: 'moving' })

    const beside = simulatedCell(true)
    beside.faults.beside = 0.004
    const journal = journalInMemory()
    const end = await run(partsOf(beside, journal))
    end.should.match({ kind: 'missed' })
    if (end.kind === 'missed') end.off.metres.should.be.approximately(0.004, 1e-9)
    // What was seen from a pose that was not reached is not used.
    journal.attempts.length.should.equal(1)
  })

  it('passes on why the robot does not move, and goes on afterwards', async () => {
    const cell = simulatedCell(true)
    const journal = journalInMemory()
    cell.faults.moving = new Error('protective stop')
    await run(partsOf(cell, journal)).should.be.rejectedWith('protective stop')
    delete cell.faults.moving
    ;(await run(partsOf(cell, journal))).kind.should.equal('done')
    journal.attempts.every(isSighting).should.be.true()
  })

  it('ends where the grid is gone', async () => {
    const cell = simulatedCell(true)
    const journal = journalInMemory()
    const parts = partsOf(cell, journal, {
      confirm: () => {
        cell.faults.hidden = journal.attempts.length > 6
        return Promise.resolve('go')
      },
    })
    ;(await run(parts)).should.match({ kind: 'stuck', reason: 'grid-lost' })
  })
})

const pose = { position: { x: 0, y: 0, z: 1 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }

const seen = (purpose: Purpose): Attempt => ({ purpose, robot: pose, grid: pose })

const first = (['taught', 'shift', 'shift', 'shift', 'turn', 'turn'] as const).map(seen)

const views = (count: number) => Array.from({ length: count }, () => seen('view'))

const counted = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe('the slots of a device', () => {
  it('have room for all poses of a short plan', () => {
    attemptsToKeep([...first, ...views(10)], 16).should.deepEqual(counted(0, 16))
  })

  it('are given back by the first moves, the shifts before the taught pose and the turns', () => {
    attemptsToKeep([...first, ...views(12)], 16).should.deepEqual([0, 1, 4, 5, ...counted(6, 12)])
    attemptsToKeep([...first, ...views(18)], 16).should.deepEqual(counted(6, 16))
  })

  it('hold no pose at which the grid was not seen, and none twice', () => {
    const unseen: Attempt = { purpose: 'view', robot: pose }
    attemptsToKeep([...first, unseen, seen('again'), seen('view')], 16).should.deepEqual([
      0, 1, 2, 3, 4, 5, 8,
    ])
  })
})

const root = resolve(__dirname, '../../..')

/** What calibrates, moves robots or takes pictures. */
const folders = ['lib', 'nodes/hand-eye-calibration', 'nodes/robot', 'nodes/robot-config', 'nodes/pictures']

describe('what calibrates', () => {
  it('never asks a virtual device for its truth', () => {
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    )
    files.length.should.be.above(200)
    const asks = /['"`(]\/?virtual\/(cell|arm|scenario|truth)/
    asks.test(`fetch('/virtual/cell')`).should.be.true()
    files.filter((file) => asks.test(readFileSync(join(root, file), 'utf8'))).should.be.empty()
  })
})

const limits = { metres: 0.001, degrees: 0.1 }

const knock: Pose = {
  position: { x: 0.0018, y: 0, z: 0 },
  orientation: ofRotationVector({ x: 0, y: radians(0.5), z: 0 }),
}

describe('a check without calibrating', () => {
  for (const robotMounted of [true, false])
    describe(`with the camera ${robotMounted ? 'on the robot' : 'fixed'}`, () => {
      const looksAt = (knocked: boolean, count = 3) => {
        const cell = sheetCell(robotMounted, 77)
        const calibrated = { robotMounted, camera: cell.camera, grid: cell.grid }
        const hands = randomPoses(cell, count)
        if (knocked) cell.camera = composed(cell.camera, knock)
        return { calibrated, looks: hands.map((hand) => observed(cell, hand)) }
      }

      it('says that the camera did not move', () => {
        const { calibrated, looks } = looksAt(false)
        cameraMovement(calibrated, looks, limits).moved.should.be.false()
      })

      it('says how far a knocked one moved', () => {
        const { calibrated, looks } = looksAt(true)
        const { moved, metres, degrees } = cameraMovement(calibrated, looks, limits)
        moved.should.be.true()
        metres.should.be.approximately(0.0018, 0.001)
        degrees.should.be.approximately(0.5, 0.15)
      })

      it('needs two looks', () => {
        const { calibrated, looks } = looksAt(false, 1)
        should(() => cameraMovement(calibrated, looks, limits)).throw(RangeError)
      })
    })
})

describe('the attempts in a journal', () => {
  const robot: Pose = { position: { x: 0, y: 0, z: 1 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }

  it('are read as they were written', () => {
    const attempts = [
      { purpose: 'taught', robot, grid: robot },
      { purpose: 'shift', robot, skipped: true },
    ]
    should(readAttempts(JSON.parse(JSON.stringify(attempts)))).deepEqual(attempts)
    should(readAttempts([])).deepEqual([])
  })

  it('are not read from anything else', () => {
    for (const other of [
      undefined,
      'attempts',
      [{ purpose: 'shift', robot }],
      [{ purpose: 'taught' }],
      [{ purpose: 'elsewhere', robot }],
      [{ purpose: 'taught', robot: { ...robot, orientation: { w: 0, x: 0, y: 0, z: 0 } } }],
      [{ purpose: 'taught', robot: { ...robot, position: { x: 'far', y: 0, z: 0 } } }],
    ])
      should(readAttempts(other)).equal(undefined)
  })
})
