import { setImmediate } from 'node:timers/promises'
import type { CalibrationJournal, CalibrationParts, GridSource, Mover } from '../../lib/calibration'
import {
  createPlanner,
  ofRotationVector,
  type Attempt,
  type Go,
  type PlannerSettings,
  type Pose,
} from '../../lib/robotics'
import { isSeen, planCamera, planGrid } from '../../bench/support/planned-runs'
import { handAt, observed, seenAt, sheetCell, type SheetCell } from '../../bench/support/sheet-sets'

/** A cell whose robot moves when told, and whose camera sees what is there. */
export interface SimulatedCell {
  cell: SheetCell
  /** True pose of the hand. */
  hand: Pose
  /** Everything that the robot was sent to. */
  passed: Pose[]
  /** Set by tests: what goes wrong. */
  faults: {
    /** The robot never stands still. */
    restless?: boolean
    /** The robot ends beside where it is sent to, metres. */
    beside?: number
    /** The grid is hidden. */
    hidden?: boolean
    /** Moving fails with this. */
    moving?: Error
    /** Called while the robot moves; the movement ends after it. */
    during?: () => void
  }
  mover: Mover
  source: GridSource
}

/** Straight in front of the camera, 0.7 m away. */
const straight: Pose = {
  position: { x: 0.02, y: -0.01, z: 0.7 },
  orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
}

export function simulatedCell(robotMounted: boolean, seed = 1): SimulatedCell {
  const cell = sheetCell(robotMounted, 60_000 + seed)
  const simulated: SimulatedCell = {
    cell,
    hand: handAt(cell, straight),
    passed: [],
    faults: {},
    mover: {
      standing: () => Promise.resolve({ pose: simulated.hand, atRest: !simulated.faults.restless }),
      moveAlong: async (poses, signal) => {
        if (simulated.faults.moving) throw simulated.faults.moving
        for (const pose of poses) {
          await setImmediate()
          simulated.faults.during?.()
          signal.throwIfAborted()
          const { x, y, z } = pose.position
          simulated.hand = {
            position: { x: x + (simulated.faults.beside ?? 0), y, z },
            orientation: pose.orientation,
          }
          simulated.passed.push(pose)
        }
      },
    },
    source: {
      look: () =>
        Promise.resolve(
          simulated.faults.hidden || !isSeen(seenAt(cell, simulated.hand))
            ? undefined
            : observed(cell, simulated.hand).grid,
        ),
    },
  }
  return simulated
}

/** A journal that outlives a run. */
export function journalInMemory(attempts: Attempt[] = []): CalibrationJournal & { attempts: Attempt[] } {
  return {
    attempts,
    read: () => Promise.resolve([...attempts]),
    append: (attempt) => {
      // As a file would give it back.
      attempts.push(JSON.parse(JSON.stringify(attempt)) as Attempt)
      return Promise.resolve()
    },
  }
}

/** The parts of a calibration in a simulated cell; each movement is confirmed unless a test says otherwise. */
export function partsOf(
  { cell, mover, source }: SimulatedCell,
  journal: CalibrationJournal,
  {
    confirm = () => Promise.resolve('go'),
    ...given
  }: Partial<PlannerSettings> & { confirm?: CalibrationParts['confirm'] } = {},
): CalibrationParts & { asked: Go[] } {
  const asked: Go[] = []
  const { next } = createPlanner({
    robotMounted: cell.robotMounted,
    grid: planGrid,
    camera: planCamera,
    ...given,
  })
  return {
    next,
    mover,
    source,
    journal,
    asked,
    confirm: (move, signal) => {
      asked.push(move)
      return confirm(move, signal)
    },
  }
}
