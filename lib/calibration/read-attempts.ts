import { Type, Value } from '../typebox'
import { isUnit, type Attempt } from '../robotics'

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
    skipped: Type.Optional(Type.Literal(true)),
  }),
)

/** The attempts in what a journal stored; undefined if it is something else, or damaged. */
export function readAttempts(stored: unknown): Attempt[] | undefined {
  if (!Value.Check(StoredAttempts, stored)) return undefined
  const attempts = stored as Attempt[]
  const poses = attempts.flatMap(({ robot, grid }) => (grid ? [robot, grid] : [robot]))
  const [first] = attempts
  if (!poses.every(({ orientation }) => isUnit(orientation)) || (first && first.purpose !== 'taught'))
    return undefined
  return attempts
}
