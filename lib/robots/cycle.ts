/**
 * A robot's request on its way through a flow: the answer of the flow, and which of its poses the robot may get
 * (recent, recorded from its current pose, within the workspace).
 */
import { type PendingReply, Replies, type Verdict } from '../kernel/replies'
import { type Pose, product, rotated, type Vector, angleOf, conjugated, radians } from '../robotics/pose'
import { farthestMetres } from '../robotics/suspicions'
import type { RobotRequest } from './requests'

export interface RobotCycle extends RobotRequest {
  /** Cannot be guessed; identifies the cycle in the messages of the flow. */
  token: string
  robot: number
  /** When the request arrived, ms. */
  began: number
  /** Of a calibration over the binary interface. */
  pipeline?: number
  slot?: number
  /** The four free numbers of a binary request. */
  data?: readonly number[]
}

export interface Candidate {
  pose: Pose
  /** @default 0 */
  score?: number
  /** Related poses, which the binary interface returns one by one. */
  related?: readonly Candidate[]
  /** data_4 to data_10 of the binary interface, as sent. */
  data?: readonly number[]
}

export interface RobotResult {
  /** 0: done; any other is a failure without poses. */
  code: number
  /** Code of the called module. */
  returnCode?: number | undefined
  /** The best first; undefined for a request without poses. */
  poses?: readonly Candidate[] | undefined
  /** Milliseconds since the picture was taken. @default since the request */
  age?: number | undefined
  /** Where the robot was when the picture was taken. @default where it was at its request */
  takenAt?: Pose | undefined
}

export interface DialogueCodes {
  DONE: number
  NO_POSE: number
  NO_MORE: number
  NO_ANSWER: number
  TOO_OLD: number
  OTHER_POSE: number
  OUTSIDE: number
}

export interface Reply {
  robot: number
  command: string
  code: number
  count: number
  candidate?: Candidate
  leftOut: number
  milliseconds: number
  /** Not answered in time: milliseconds of the last answer that came too late. */
  late?: number
  /** No robot waits: the result is kept until it is fetched. */
  isKept?: boolean
  /** Code of the module, or ours, behind a code of the binary interface. */
  moduleCode?: number
}

/** Why an answer of a flow is dropped: the robot no longer waits, was answered already, or never asked. */
export type Dropped = 'late' | 'second' | 'foreign'

const remembered = 1000 // closed questions, to distinguish a late answer from a foreign one

/** Each token accepts one answer. The dialogue itself handles deadlines. */
export const robotQuestions = (): Replies<RobotResult> => new Replies({ remembered })

export type RobotQuestion = PendingReply<RobotResult>

/** A question without an answer was replaced, has expired, or its robot has disconnected: a later answer is late. */
export const droppedBy = (verdict: Exclude<Verdict, 'accepted'>): Dropped =>
  verdict === 'duplicate' ? 'second' : verdict === 'late' || verdict === 'withdrawn' ? 'late' : 'foreign'

export type Answered = { reply: Reply } | { dropped: Dropped }

/** Milliseconds. */
export interface HandOverRules {
  codes: DialogueCodes
  oldest: number
  workspace: Workspace
}

/** Poses for the robot, and when their picture was taken; or the code of the refusal. */
type HandedOver = { leftOut: number } & (
  | { code: number }
  | { candidates: readonly Candidate[]; taken: number }
)

/**
 * The part of a result that its robot may get: not from a picture that is too old or of another pose of the robot, and
 * no pose outside the workspace. @param cycle time of the request, and the robot's pose
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

/** Along an axis of the robot's base, metres. */
export type Range = readonly [from: number, to: number]

/** Metres. */
export interface Workspace {
  /** Along x, y and z of the robot's base; undefined: anywhere. */
  box?: readonly [Range, Range, Range] | undefined
  /** The robot approaches from this distance behind the pose, against its z axis. @default 0 */
  approach?: number
  /** The robot retreats this distance upwards, along z of its base. @default 0 */
  retreat?: number
}

type Implausibility = 'pose' | 'approach' | 'retreat'

/** Pose, approach and retreat must be within the workspace; undefined if they are. */
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

/** How much a robot at rest may report different poses: 1 mm and 0.5°. */
const nearest = { metres: 0.001, radians: radians(0.5) } as const

export function isSamePose(one: Pose, other: Pose): boolean {
  const { x, y, z } = one.position
  const { x: a, y: b, z: c } = other.position
  return (
    Math.hypot(x - a, y - b, z - c) <= nearest.metres &&
    angleOf(product(conjugated(one.orientation), other.orientation)) <= nearest.radians
  )
}
