import type { Attempt, Done, Go, Pose, Stuck } from '../robotics'
import type { CalibrationParts } from './parts'
import { startProcedure, type BrokenOff, type ProcedureRun } from './procedure/procedure'

/** How a calibration ended. Each leaves the robot at rest and the journal as it was, so that another run continues. */
export type CalibrationEnd = Done | Stuck | BrokenOff

/** A calibration under way. */
export type CalibrationRun = ProcedureRun<Done | Stuck>

/**
 * Calibrates, or continues what the journal has: looks at the taught pose, then moves and looks as the plan says. Each
 * look is in the journal before anything moves again. Before the first movement the robot must stand still, and where an
 * interrupted calibration left it.
 */
export const startCalibration = ({
  mover,
  source,
  journal,
  next,
  confirm,
  onProgress,
}: CalibrationParts): CalibrationRun =>
  startProcedure<Attempt, Go, Done | Stuck>({
    mover,
    journal,
    next,
    confirm,
    onProgress,
    look: async (robot, move, [taught], signal) => {
      const grid = await (move ? source.look(signal, move.seenAs ?? taught?.grid) : source.look(signal))
      return seen(move?.purpose ?? 'taught', robot, grid)
    },
    leftOut: ({ purpose, pose }): Attempt => ({ purpose, robot: pose, skipped: true }),
  })

const seen = (purpose: Attempt['purpose'], robot: Pose, grid: Pose | undefined): Attempt =>
  grid ? { purpose, robot, grid } : { purpose, robot }
