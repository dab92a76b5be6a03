import should from 'should'
import {
  startCalibrationByAnswers,
  type AnsweredLook,
  type AnsweringDevice,
  type AnswerParts,
  type AnswerSettings,
  type Mover,
} from '../../lib/calibration'
import { createClient } from '../../lib'
import {
  distance,
  product,
  solveHandEye,
  angleOf,
  conjugated,
  degrees,
  type HandEyeObservation,
  type Pose,
} from '../../lib/robotics'
import { startVirtualDevice, type CellTruth } from '../../virtual-device'
import { observed, seenAt } from '../../bench/support/sheet-sets'
import { isSeen } from '../../bench/support/planned-runs'
import { simulatedCell, type SimulatedCell } from './simulated-cell'

const angleBetween = (one: Pose, other: Pose) =>
  degrees(angleOf(product(conjugated(one.orientation), other.orientation)))

/** A device that says yes or no, and solves what it has recorded. */
function answeringDevice({ cell, faults }: SimulatedCell) {
  const slots = new Map<number, HandEyeObservation>()
  const device: AnsweringDevice = {
    record: (slot, hand) => {
      const sees = !faults.hidden && isSeen(seenAt(cell, hand))
      if (sees) slots.set(slot, observed(cell, hand))
      return Promise.resolve(sees)
    },
    calibrate: () => {
      const result = solveHandEye([...slots.values()], { robotMounted: cell.robotMounted })
      if (!result.solved) return Promise.resolve(undefined)
      // Bounds of 95 % are about twice the standard deviation.
      const accuracy = { metres: result.translationBound / 2, degrees: result.rotationBoundDegrees / 2 }
      return Promise.resolve({ camera: result.camera, accuracy })
    },
  }
  return { slots, device }
}

function journalOf(looks: AnsweredLook[] = []) {
  return {
    looks,
    read: () => Promise.resolve([...looks]),
    append: (look: AnsweredLook) => {
      looks.push(JSON.parse(JSON.stringify(look)) as AnsweredLook)
      return Promise.resolve()
    },
  }
}

function partsOf(simulated: SimulatedCell, settings: Partial<AnswerSettings> = {}) {
  const { slots, device } = answeringDevice(simulated)
  const journal = journalOf()
  const parts: AnswerParts = {
    settings: { robotMounted: simulated.cell.robotMounted, distance: 0.65, ...settings },
    ...{ mover: simulated.mover, device, journal, confirm: () => Promise.resolve('go') },
  }
  return { parts, slots, journal }
}

describe('a calibration by yes and no', () => {
  for (const robotMounted of [true, false])
    it(`ends when the device judges it good, near the truth, with the camera ${robotMounted ? 'on the robot' : 'fixed'}`, async () => {
      for (let seed = 1; seed <= 5; seed++) {
        const simulated = simulatedCell(robotMounted, seed)
        const { parts, slots, journal } = partsOf(simulated)
        const end = await startCalibrationByAnswers(parts).end
        if (end.kind !== 'judged') throw new Error(JSON.stringify(end))
        distance(end.verdict.camera.position, simulated.cell.camera.position).should.be.below(0.003)
        angleBetween(end.verdict.camera, simulated.cell.camera).should.be.below(0.3)
        // Each look at which the grid was seen has a slot of its own.
        slots.size.should.equal(journal.looks.filter(({ seen }) => seen).length)
        slots.size.should.be.within(6, 16)
      }
    })

  it('begins with small turns, and makes them smaller where the grid was not seen', async () => {
    const simulated = simulatedCell(true)
    const { parts, journal } = partsOf(simulated)
    parts.device = {
      record: () => Promise.resolve(journal.looks.length !== 4),
      calibrate: () => Promise.resolve(undefined),
    }
    await startCalibrationByAnswers(parts).end
    const [taught, ...turned] = journal.looks
    const turns = turned.map(({ robot }) => angleBetween(taught?.robot ?? robot, robot))
    should(turns[0]).be.below(20)
    should(turns[4]).be.below(0.7 * (turns[3] ?? 0))
    Math.max(...turns).should.be.above(30)
  })

  it('ends where the grid is gone, and begins nowhere without it', async () => {
    const simulated = simulatedCell(false)
    const { parts, journal } = partsOf(simulated)
    parts.confirm = () => {
      simulated.faults.hidden = journal.looks.length > 4
      return Promise.resolve('go')
    }
    ;(await startCalibrationByAnswers(parts).end).should.match({ kind: 'stuck', reason: 'grid-lost' })
    // It went back to where the grid was seen last.
    const last = journal.looks.at(-1)
    should(last).have.properties({ purpose: 'again', seen: false })
    should(last?.robot).deepEqual(journal.looks.findLast(({ seen }) => seen)?.robot)

    const blind = simulatedCell(true)
    blind.faults.hidden = true
    const end = await startCalibrationByAnswers(partsOf(blind).parts).end
    end.should.match({ kind: 'stuck', reason: 'grid-not-seen-at-start', seen: 0 })
    blind.passed.should.be.empty()
  })

  it('stays within the limits, and says when they leave nothing', async () => {
    const simulated = simulatedCell(true)
    const { x, y, z } = simulated.hand.position
    const box = {
      least: { x: x - 0.2, y: y - 0.2, z: z - 0.02 },
      most: { x: x + 0.2, y: y + 0.2, z: z + 0.2 },
    }
    const { parts } = partsOf(simulated, { limits: { box } })
    await startCalibrationByAnswers(parts).end
    simulated.passed.length.should.be.above(3)
    for (const { position } of simulated.passed)
      for (const axis of ['x', 'y', 'z'] as const)
        position[axis].should.be.within(box.least[axis], box.most[axis])

    const tight = simulatedCell(true)
    const end = await startCalibrationByAnswers(partsOf(tight, { limits: { reach: 0.1 } }).parts).end
    end.should.match({ kind: 'stuck', reason: 'limits' })
    tight.passed.should.be.empty()
  })

  it('is never good enough by a device that states no accuracy', async () => {
    const { parts } = partsOf(simulatedCell(true))
    const { calibrate } = parts.device
    parts.device = {
      ...parts.device,
      calibrate: async (signal) => {
        const verdict = await calibrate(signal)
        return verdict && { ...verdict, accuracy: undefined }
      },
    }
    const end = await startCalibrationByAnswers(parts).end
    end.should.match({ kind: 'stuck', reason: 'accuracy', seen: 16 })
  })

  it('works with the services of a device alone', async () => {
    const device = await startVirtualDevice({ port: 0 })
    const client = createClient({ address: device.url })
    const place = { pipeline: '0', node: 'dev_hand_eye_calibration' }
    const call = async (service: string, args = {}) =>
      (await client.callService({ ...place, service, args })).response
    let hand: Pose = { position: { x: 0.5, y: 0.1, z: 0.7 }, orientation: { w: 0, x: 1, y: 0, z: 0 } }
    const mover: Mover = {
      standing: () => Promise.resolve({ pose: hand, atRest: true }),
      moveAlong: (poses) => {
        hand = poses.at(-1) ?? hand
        return Promise.resolve()
      },
    }
    try {
      await client.setParameters({
        ...place,
        parameters: [
          { name: 'grid_width', value: 0.26 },
          { name: 'grid_height', value: 0.18 },
        ],
      })
      const { end } = startCalibrationByAnswers({
        settings: { robotMounted: true, distance: 0.9 },
        mover,
        journal: journalOf(),
        confirm: () => Promise.resolve('go'),
        device: {
          record: async (slot, pose) => (await call('set_pose', { slot, pose })).success === true,
          calibrate: async () => {
            const { success, pose, translation_error_meter, rotation_error_degree } = await call('calibrate')
            if (success !== true) return undefined
            const accuracy = {
              metres: Number(translation_error_meter),
              degrees: Number(rotation_error_degree),
            }
            return { camera: pose as Pose, accuracy }
          },
        },
      })
      const done = await end
      if (done.kind !== 'judged') throw new Error(JSON.stringify(done))
      const truth = (await (await fetch(new URL('/virtual/cell', device.url))).json()) as CellTruth
      distance(done.verdict.camera.position, truth.camera?.position ?? hand.position).should.be.below(0.003)
    } finally {
      await client.close()
      await device.stop()
    }
  })
})
