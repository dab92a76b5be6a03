/** A planned calibration: with detections of the grid in our own pictures, or of a tag beside it. */
import { findGrid, type GridMiss, type GridPattern, type SeenGrid } from '../images/grid'
import {
  type Attempt,
  type Done,
  type Go,
  isSighting,
  isUnit,
  normalized,
  type Pose,
  type Purpose,
  type Stuck,
} from '../robotics'
import { Type, Value } from '../typebox'
import {
  type BrokenOff,
  type CalibrationParts,
  type GridSource,
  type ProcedureRun,
  type SeenPose,
  startProcedure,
} from './procedure'

/** How a calibration ended. The robot is at rest and the journal unchanged, so that another run can continue. */
export type CalibrationEnd = Done | Stuck | BrokenOff

/** A running calibration. */
export type CalibrationRun = ProcedureRun<Done | Stuck>

/**
 * Calibrates, or continues from the journal: records the taught pose, then moves and records as planned. Each attempt
 * is in the journal before anything moves again. Before the first movement the robot must be at rest, where an
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
    record: async (robot, move, [taught], signal) => {
      const grid = await (move ? source.look(signal, move.seenAs ?? taught?.grid) : source.look(signal))
      return seen(move?.purpose ?? 'taught', robot, grid)
    },
    leftOut: ({ purpose, pose }): Attempt => ({ purpose, robot: pose, skipped: true }),
  })

function seen(purpose: Attempt['purpose'], robot: Pose, found: SeenPose | undefined): Attempt {
  if (!found) return { purpose, robot }
  const { covariance, ...grid } = found
  return { purpose, robot, grid, ...(covariance && { covariance }) }
}

/** The least informative ones free their slots first. */
const order: readonly Purpose[] = ['view', 'turn', 'taught', 'shift']

/**
 * The attempts that a device with few slots should keep for its own calibration: those with the grid, of which the
 * first moves make room for poses of the plan. @param slots of the device @returns indices of the attempts, in their
 * order
 */
export function attemptsToKeep(attempts: readonly Attempt[], slots: number): number[] {
  const seen = [...attempts.keys()].filter((index) => {
    const attempt = attempts[index]
    return attempt && isSighting(attempt) && attempt.purpose !== 'again'
  })
  const rank = (index: number) => order.indexOf(attempts[index]?.purpose ?? 'shift')
  // Of the same rank, the later ones are dropped: the plan's first views are spread widest.
  const ranked = [...seen].sort((one, other) => rank(one) - rank(other) || one - other)
  return ranked.slice(0, slots).sort((one, other) => one - other)
}

const number = Type.Number()

const Position = Type.Object({ x: number, y: number, z: number })

const Orientation = Type.Object({ w: number, x: number, y: number, z: number })

const StoredPose = Type.Object({ position: Position, orientation: Orientation })

const StoredAttempts = Type.Array(
  Type.Object({
    purpose: Type.Union(
      (['taught', 'shift', 'turn', 'view', 'again'] as const).map((purpose) => Type.Literal(purpose)),
    ),
    robot: StoredPose,
    grid: Type.Optional(StoredPose),
    covariance: Type.Optional(
      Type.Array(Type.Array(number, { minItems: 6, maxItems: 6 }), { minItems: 6, maxItems: 6 }),
    ),
    skipped: Type.Optional(Type.Literal(true)),
  }),
)

/** The attempts stored in a journal; undefined if it is something else, or damaged. */
export function readAttempts(stored: unknown): Attempt[] | undefined {
  if (!Value.Check(StoredAttempts, stored)) return undefined
  const attempts = stored as Attempt[]
  const poses = attempts.flatMap(({ robot, grid }) => (grid ? [robot, grid] : [robot]))
  const [first] = attempts
  if (!poses.every(({ orientation }) => isUnit(orientation)) || (first && first.purpose !== 'taught'))
    return undefined
  return attempts
}

/** How pictures are taken, and the grid in them. */
export interface ImageSourceOptions {
  /** Takes a rectified picture when the robot has come to rest. */
  take: (signal: AbortSignal) => Promise<Parameters<typeof findGrid>[0]>
  pattern: GridPattern
  /** Called with the result of each picture. Must not throw. */
  onLook?: (seen: ({ found: true } & SeenGrid) | GridMiss) => void
}

const leastCertain = 1 // degrees: less certain rotations are useless

/** Detects the grid itself, with its pose: a calibration can be planned, judged and checked for outliers. */
export const imageSource = ({ take, pattern, onLook }: ImageSourceOptions): GridSource => ({
  look: async (signal, expected) => {
    const picture = await take(signal)
    const seen = await findGrid(picture, pattern, expected && { near: expected }, () => signal.aborted)
    onLook?.(seen)
    return seen.found && seen.uncertainty.degrees < leastCertain
      ? { ...seen.pose, covariance: seen.covariance }
      : undefined
  },
})

/** As a device's tag module reports it. */
export interface DetectedTag {
  id: string
  /** Edge length, metres. */
  size?: number
  pose: Pose
  /** `camera` or `external`. */
  pose_frame?: string
}

/** How tags are detected, and which one is used. */
export interface TagSourceOptions {
  /** Calls the device's tag module, `pose_frame` camera. */
  detect: (signal: AbortSignal) => Promise<readonly DetectedTag[]>
  /** The tag used in place of the grid, the same in the whole calibration. */
  id: string
  /** Called with the ids of each detection. Must not throw. */
  onLook?: (ids: readonly string[]) => void
}

/**
 * Detects a tag that is fixed beside the grid, or instead of it: with its pose, so that a calibration can be planned,
 * but less accurately than with the grid, because a tag is smaller. A tag that appears twice, or in another frame, is
 * ignored.
 */
export const tagSource = ({ detect, id, onLook }: TagSourceOptions): GridSource => ({
  look: async (signal) => {
    const tags = await detect(signal)
    onLook?.(tags.map((tag) => tag.id))
    const [tag, other] = tags.filter((each) => each.id === id && (each.pose_frame ?? 'camera') === 'camera')
    if (!tag || other) return undefined
    const { position, orientation } = tag.pose
    return { position, orientation: normalized(orientation) }
  },
})

/** The largest of the unique tags. @returns undefined if there is none */
export function largestTag(tags: readonly DetectedTag[]): string | undefined {
  const single = tags.filter(({ id }) => tags.filter((other) => other.id === id).length === 1)
  return [...single].sort((one, other) => (other.size ?? 0) - (one.size ?? 0))[0]?.id
}
