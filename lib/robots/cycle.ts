import type { Pose } from '../robotics/pose'
import { Replies, type PendingReply, type Verdict } from '../kernel/replies'
import type { RobotRequest } from './requests'

/** One request on its way through a flow. */
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

/** What a robot is told. */
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
  /** Nobody waits: the result is kept until a robot fetches it. */
  isKept?: boolean
  /** Code of the module or of ours behind a code of the binary interface. */
  moduleCode?: number
}

/** Why an answer of a flow is dropped: the robot no longer waits, was answered already, or never asked. */
export type Dropped = 'late' | 'second' | 'foreign'
/** Questions that are remembered after their end, so that a late answer is told from a foreign one. */
const remembered = 1000

/** The requests that flows answer: each token takes one answer. Deadlines come in with the time of the dialogue. */
export const robotQuestions = (): Replies<RobotResult> => new Replies({ remembered })
export type RobotQuestion = PendingReply<RobotResult>

/** A question without an answer was replaced, has expired, or its robot has gone: an answer that still comes is late. */
export const droppedBy = (verdict: Exclude<Verdict, 'accepted'>): Dropped =>
  verdict === 'duplicate' ? 'second' : verdict === 'late' || verdict === 'withdrawn' ? 'late' : 'foreign'

/** What becomes of an answer of a flow. */
export type Answered = { reply: Reply } | { dropped: Dropped }
