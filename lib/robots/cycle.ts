/**
 * One request of a robot on its way through a flow: what it is, what a flow answers, and which poses of the answer the robot
 * may get (recent, recorded from its present pose, within the workspace).
 */
import { type PendingReply, Replies, type Verdict } from '../kernel/replies'
import { type Pose, product, rotated, type Vector, angleOf, conjugated, radians } from '../robotics/pose'
import { farthestMetres } from '../robotics/suspicions'
import type { RobotRequest } from './requests'

/** A request in the flow. */
export interface RobotCycle extends RobotRequest {
  /** Cannot be made up; names the cycle in the messages of the flow. */
  token: string
  /** Number of the connection. */
  robot: number
  /** When the request came, ms. */
  began: number
  /** Of a calibration over the binary interface. */
  pipeline?: number
  slot?: number
  /** The four free numbers of a binary request. */
  data?: readonly number[]
}

/** A pose that a robot may get, metres. */
export interface Candidate {
  pose: Pose
  /** @default 0 */
  score?: number
  /** Poses that belong to it, which the binary interface hands over one by one. */
  related?: readonly Candidate[]
  /** data_4 to data_10 of the binary interface, as sent. */
  data?: readonly number[]
}

/** What a flow found. */
export interface RobotResult {
  /** 0: done; any other is a failure, and no pose is handed over. */
  code: number
  /** Code of the module that the flow called. */
  returnCode?: number | undefined
  /** The best first; undefined where the request asked for no pose. */
  poses?: readonly Candidate[] | undefined
  /** Milliseconds since the picture was taken. @default since the request came */
  age?: number | undefined
  /** Where the robot was when the picture was taken. @default where it was when it asked */
  takenAt?: Pose | undefined
}

/** Codes that the dialogue itself gives. */
export interface DialogueCodes {
  DONE: number
  NO_POSE: number
  NO_MORE: number
  NO_ANSWER: number
  TOO_OLD: number
  OTHER_POSE: number
  OUTSIDE: number
}

/** Reply to a robot. */
export interface Reply {
  robot: number
  /** The command that it answers. */
  command: string
  code: number
  count: number
  candidate?: Candidate
  /** Poses of the result that were left out because they are implausible. */
  leftOut: number
  /** Milliseconds since the request. */
  milliseconds: number
  /** No robot waits: the result is kept until it is fetched. */
  isKept?: boolean
  /** Code of the module or of ours behind a code of the binary interface. */
  moduleCode?: number
}

/** Why an answer of a flow is dropped: the robot no longer waits, was answered already, or never asked. */
export type Dropped = 'late' | 'second' | 'foreign'

/** Questions that are remembered after their end, so that a late answer is distinguished from a foreign one. */
const remembered = 1000

/** The requests that flows answer: each token takes one answer. Deadlines come in with the time of the dialogue. */
export const robotQuestions = (): Replies<RobotResult> => new Replies({ remembered })

export type RobotQuestion = PendingReply<RobotResult>

/** A question without an answer was replaced, has expired, or its robot has gone: an answer that still comes is late. */
export const droppedBy = (verdict: Exclude<Verdict, 'accepted'>): Dropped =>
  verdict === 'duplicate' ? 'second' : verdict === 'late' || verdict === 'withdrawn' ? 'late' : 'foreign'

/** What becomes of an answer of a flow. */
export type Answered = { reply: Reply } | { dropped: Dropped }

/** What decides whether a result may be handed over; milliseconds. */
export interface HandOverRules {
  codes: DialogueCodes
  oldest: number
  workspace: Workspace
}

/** Poses that a robot may get, and when their picture was taken; or the code of why there are none. */
type HandedOver = { leftOut: number } & (
  | { code: number }
  | { candidates: readonly Candidate[]; taken: number }
)

/**
 * The part of a result that its robot may get: not from a picture that is too old or of another pose of the robot, and
 * no pose outside the workspace.
 * @param cycle when the request came, and where the robot was
 */
export function handedOver(
  result: Pick<RobotResult, 'poses' | 'age' | 'takenAt'>,
  cycle: { began: number; pose?: Pose },
  { codes, oldest, workspace }: HandOverRules,
  now: number,
): HandedOver {
  const { poses = [], takenAt } = result
  const taken = now - (result.age ?? now - cycle.began)
  if (now - taken > oldest) return { code: codes.TOO_OLD, leftOut: 0 }
  if (cycle.pose && takenAt && !isSamePose(cycle.pose, takenAt)) return { code: codes.OTHER_POSE, leftOut: 0 }
  const isInside = ({ pose }: Candidate) => implausibility(pose, workspace) === undefined
  const candidates = poses.filter(isInside)
  const leftOut = poses.length - candidates.length
  if (candidates.length === 0) return { code: leftOut > 0 ? codes.OUTSIDE : codes.NO_POSE, leftOut }
  return { candidates, taken, leftOut }
}

/** From and to along an axis of the robot's base, metres. */
export type Range = readonly [from: number, to: number]

/** What a pose must be before a robot gets it; metres. */
export interface Workspace {
  /** Along x, y and z of the robot's base; undefined: anywhere. */
  box?: readonly [Range, Range, Range] | undefined
  /** The robot comes from so far behind the pose, against its z axis. @default 0 */
  approach?: number
  /** The robot leaves so far upwards, along z of its base. @default 0 */
  retreat?: number
}

/** Why a pose is not handed over. */
type Implausibility = 'pose' | 'approach' | 'retreat'

/** What is implausible about a pose; undefined if nothing is: pose, approach and retreat are within the workspace. */
export function implausibility(
  { position, orientation }: Pose,
  { box, approach = 0, retreat = 0 }: Workspace,
): Implausibility | undefined {
  if (!isWithin(position, box)) return 'pose'
  const back = rotated({ x: 0, y: 0, z: -approach }, orientation)
  if (!isWithin(plus(position, back), box)) return 'approach'
  return isWithin(plus(position, { x: 0, y: 0, z: retreat }), box) ? undefined : 'retreat'
}

const plus = (one: Vector, other: Vector): Vector => ({
  x: one.x + other.x,
  y: one.y + other.y,
  z: one.z + other.z,
})

const isWithin = ({ x, y, z }: Vector, box: Workspace['box']): boolean =>
  box
    ? [x, y, z].every((value, axis) => {
        const [from, to] = box[axis] ?? [Number.NaN, Number.NaN]
        return value >= from && value <= to
      })
    : Math.hypot(x, y, z) <= farthestMetres

/** How far a robot at rest may read its own pose differently: 1 mm and 0.5°. */
const nearest = { metres: 0.001, radians: radians(0.5) } as const

/** Whether two poses are one for a robot at rest. */
export function isSamePose(one: Pose, other: Pose): boolean {
  const { x, y, z } = one.position
  const { x: a, y: b, z: c } = other.position
  return (
    Math.hypot(x - a, y - b, z - c) <= nearest.metres &&
    angleOf(product(conjugated(one.orientation), other.orientation)) <= nearest.radians
  )
}
