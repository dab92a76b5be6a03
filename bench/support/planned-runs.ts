import {
  angleOf,
  composed,
  conjugated,
  createPlanner,
  degrees,
  distance,
  ofRotationVector,
  product,
  radians,
  solveHandEye,
  type Attempt,
  type HandEyeResult,
  type Next,
  type PlannerSettings,
  type Pose,
} from '../../lib/robotics'
import { handAt, observed, seenAt, type SheetCell } from './sheet-sets'

/** 60° by 45°; 0.20 by 0.15 m. */
export const planCamera = { width: 1280, height: 918, focalLength: 1108 }
export const planGrid = { width: 0.2, height: 0.15 }

export interface PlannedRun {
  attempts: Attempt[]
  end: Exclude<Next, { kind: 'go' }>
  /** After each pose of the plan. */
  errors: { millimetres: number; degrees: number }[]
  /** All poses of the robot, intermediate ones included. */
  passed: Pose[]
}

/** A taught pose: the grid anywhere in the picture, tilted by up to 25°. */
export function taughtSeen({ random }: SheetCell, metres = 0.7): Pose {
  const within = (size: number) => size * (2 * random() - 1)
  const tilt = radians(25 * random())
  const direction = 2 * Math.PI * random()
  const tilting = { x: tilt * Math.cos(direction), y: tilt * Math.sin(direction), z: 0 }
  const facing = product(
    ofRotationVector({ x: 0, y: 0, z: radians(within(180)) }),
    ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
  )
  const [x, y] = [within(0.26 * metres), within(0.16 * metres)]
  return { position: { x, y, z: metres }, orientation: product(ofRotationVector(tilting), facing) }
}

/** All corners in the picture, from the front, not too steeply. */
export function isSeen(seen: Pose): boolean {
  const corners = [-1, 1].flatMap((across) =>
    [-1, 1].map((down) => {
      const position = { x: (across * planGrid.width) / 2, y: (down * planGrid.height) / 2, z: 0 }
      return composed(seen, { position, orientation: { w: 1, x: 0, y: 0, z: 0 } }).position
    }),
  )
  const { width, height, focalLength } = planCamera
  return corners.every(
    ({ x, y, z }) =>
      z > 0 && Math.abs((focalLength * x) / z) < width / 2 && Math.abs((focalLength * y) / z) < height / 2,
  )
}

/**
 * @param hidden whether something else hides the grid at this number
 * @param from the grid in the camera's frame at the taught pose @default random
 */
export function plannedRun(
  cell: SheetCell,
  settings: Partial<PlannerSettings> = {},
  {
    hidden = () => false,
    from,
    most = 60,
  }: { hidden?: (attempt: number) => boolean; from?: Pose; most?: number } = {},
): PlannedRun {
  const { robotMounted } = cell
  const { next } = createPlanner({ robotMounted, grid: planGrid, camera: planCamera, ...settings })
  const attempt = (purpose: Attempt['purpose'], hand: Pose, number: number): Attempt => {
    const { robot, grid } = observed(cell, hand)
    // The robot reports its target; its noise is the deviation.
    return isSeen(seenAt(cell, hand)) && !hidden(number) ? { purpose, robot, grid } : { purpose, robot }
  }
  const attempts = [attempt('taught', handAt(cell, from ?? taughtSeen(cell)), 0)]
  const errors: PlannedRun['errors'] = []
  const passed: Pose[] = []
  for (;;) {
    const move = next(attempts)
    if (attempts.at(-1)?.purpose === 'view') errors.push(errorOf(cell, move.result))
    if (move.kind !== 'go') return { attempts, end: move, errors, passed }
    if (attempts.length > most) throw new Error('The plan has no end.')
    passed.push(...move.via, move.pose)
    attempts.push(attempt(move.purpose, move.pose, attempts.length))
  }
}

/** Infinite without a result. */
export function errorOf({ camera }: SheetCell, result: HandEyeResult | undefined) {
  if (!result) return { millimetres: Infinity, degrees: Infinity }
  return {
    millimetres: 1000 * distance(result.camera.position, camera.position),
    degrees: degrees(angleOf(product(conjugated(camera.orientation), result.camera.orientation))),
  }
}

/** After each number of poses from `first` on. */
export function listedErrors(cell: SheetCell, hands: readonly Pose[], first = 3) {
  const observations = hands.map((hand) => observed(cell, hand))
  return Array.from({ length: hands.length }, (_, index) => {
    if (index + 1 < first) return errorOf(cell, undefined)
    const result = solveHandEye(observations.slice(0, index + 1), { robotMounted: cell.robotMounted })
    return errorOf(cell, result.solved ? result : undefined)
  })
}
