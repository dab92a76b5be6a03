/**
 * What ends motions and forbids the next: faults in a state, the permission that a person gives, and what must be seen of a robot that moves.
 */
import { differenceOf, missedBy } from '../calibration'
import {
  robotError,
  RobotError,
  type RobotErrorCode,
  isAtRest,
  isMoving,
  type RobotMode,
  type RobotState,
  type SafetyState,
} from './state'

/** Codes after which only a person goes on. A stop on request, or an enable signal that ends, was wanted. */
const latchReasons = [
  'PROTECTIVE_STOP',
  'EMERGENCY_STOP',
  'SAFETY_STOP',
  'WRONG_MODE',
  'NOT_REMOTE',
  'NOT_AT_REST',
  'POSE_CHANGED',
  'CONNECTION_LOST',
  'NOT_THERE',
  'REFUSED',
  'STOP_UNCONFIRMED',
] as const satisfies readonly RobotErrorCode[]

/** Why only a person goes on. */
export type LatchReason = (typeof latchReasons)[number]

/**
 * Whether motions are permitted: `unconfirmed` after a start, a deploy or a reset; `confirmed` when a person has compared
 * the robot's pose with the pendant; `latched` when something unexpected has happened since.
 */
export type PermitState = { is: 'unconfirmed' } | { is: 'confirmed' } | { is: 'latched'; reason: LatchReason }

/** The permission to move a robot. Only a person's word leads to `confirmed`, and only a person's word leaves `latched`. */
class MotionPermit {
  #state: PermitState = { is: 'unconfirmed' }

  get state(): PermitState {
    return this.#state
  }

  /** A person says that the pose is right. @returns whether that was open */
  confirm(): boolean {
    if (this.#state.is !== 'unconfirmed') return false
    this.#state = { is: 'confirmed' }
    return true
  }

  /** Something unexpected. Before the confirmation nothing has been permitted that could be taken away. */
  latch(reason: LatchReason): boolean {
    if (this.#state.is !== 'confirmed') return false
    this.#state = { is: 'latched', reason }
    return true
  }

  /** A person says that the reason is gone; the pose is to be confirmed again. @returns whether something was latched */
  reset(): boolean {
    if (this.#state.is !== 'latched') return false
    this.#state = { is: 'unconfirmed' }
    return true
  }

  /** The flow has been deployed again. A latch stays: only a person goes on. */
  forget(): void {
    if (this.#state.is === 'confirmed') this.#state = { is: 'unconfirmed' }
  }
}

const stops: Partial<Record<SafetyState, 'PROTECTIVE_STOP' | 'EMERGENCY_STOP' | 'SAFETY_STOP'>> = {
  'protective-stop': 'PROTECTIVE_STOP',
  'emergency-stop': 'EMERGENCY_STOP',
  'safeguard-stop': 'SAFETY_STOP',
  recovery: 'SAFETY_STOP',
  fault: 'SAFETY_STOP',
  unknown: 'SAFETY_STOP',
}

const sentences = {
  PROTECTIVE_STOP: 'robot-protective-stop',
  EMERGENCY_STOP: 'robot-emergency-stop',
  SAFETY_STOP: 'robot-safety-stop',
  WRONG_MODE: 'robot-wrong-mode',
} as const

/** An error whose code can latch the permission. */
type Fault = RobotError & { readonly code: LatchReason }

/** Whether this error latches the permission. */
export const isFault = (error: unknown): error is Fault =>
  error instanceof RobotError && (latchReasons as readonly string[]).includes(error.code)

/** The error of something after which only a person goes on. */
export const fault = (failure: Parameters<typeof robotError>[0] & { code: LatchReason }): Fault =>
  robotError(failure) as Fault

/** Why a robot in this state cannot move; undefined if it can. */
export function faultOf({ safety, mode }: Pick<RobotState, 'safety' | 'mode'>): Fault | undefined {
  const code = stops[safety] ?? (mode === 'running' ? undefined : 'WRONG_MODE')
  if (!code) return undefined
  return fault({ code, key: sentences[code], values: { safety, mode: mode satisfies RobotMode } })
}

/** What the robot is expected to do at the moment. */
interface Expected {
  /** It may move: a motion or a stop is under way. */
  toMove: boolean
  /** The controller works on a motion. */
  toDrive: boolean
}

/** States in a row with motion, until the robot moves: one may be disturbed. */
const movingStates = 2

/** Monitors the robot's states and withdraws the permission after anything unexpected. Only an operator can grant it. */
export class Supervision {
  readonly #permit = new MotionPermit()
  readonly #tell: (permit: PermitState, because?: RobotError) => void
  /** The pose, tool and payload that a person has confirmed. */
  #confirmed: RobotState | undefined
  #movingFor = 0

  constructor(tell: (permit: PermitState, because?: RobotError) => void) {
    this.#tell = tell
  }

  get permit(): PermitState {
    return this.#permit.state
  }

  /** @throws RobotError POSE_CHANGED if the robot has moved since, or has another tool */
  confirm(shown: RobotState, now: RobotState): void {
    const changed = changedSince(shown, now)
    if (changed || missedBy(shown.flange, now.flange))
      throw changed ?? robotError({ code: 'POSE_CHANGED', key: 'robot-pose-changed' })
    this.#confirmed = now
    if (this.#permit.confirm()) this.#tell(this.permit)
  }

  /** @throws RobotError if the reason is still there */
  reset(state: RobotState): void {
    const error = faultOf(state)
    if (error) throw error
    if (!isAtRest(state)) throw robotError({ code: 'NOT_AT_REST', key: 'robot-not-at-rest' })
    if (this.#permit.reset()) this.#tell(this.permit)
  }

  forget(): void {
    this.#permit.forget()
    this.#tell(this.permit)
  }

  /** @throws RobotError RESET_NEEDED */
  refuseLatched(): void {
    const { permit } = this
    if (permit.is === 'latched')
      throw robotError({ code: 'RESET_NEEDED', key: 'robot-reset-needed', values: { reason: permit.reason } })
  }

  /** @throws RobotError NOT_CONFIRMED */
  refuseUnconfirmed(): void {
    if (this.permit.is !== 'confirmed')
      throw robotError({ code: 'NOT_CONFIRMED', key: 'robot-pose-unconfirmed' })
  }

  latch(error: Fault): void {
    if (this.#permit.latch(error.code)) this.#tell(this.permit, error)
  }

  /** @returns the fault that ends a motion under way */
  see(state: RobotState, { toMove, toDrive }: Expected): Fault | undefined {
    const found = faultOf(state) ?? this.#changed(state) ?? (toDrive ? pausedIn(state) : undefined)
    if (found) this.latch(found)
    else this.#watchMotion(state, toMove)
    return found
  }

  #changed(state: RobotState): Fault | undefined {
    return this.#confirmed && this.permit.is === 'confirmed'
      ? changedSince(this.#confirmed, state)
      : undefined
  }

  /** A robot that moves while nothing was sent is moved by something else. */
  #watchMotion(state: RobotState, expected: boolean): void {
    this.#movingFor = !expected && isMoving(state) ? this.#movingFor + 1 : 0
    if (this.#movingFor >= movingStates)
      this.latch(fault({ code: 'NOT_AT_REST', key: 'robot-moved-by-others' }))
  }
}

/** Another tool or payload than the confirmed one. */
function changedSince(shown: RobotState, now: RobotState): Fault | undefined {
  const off = differenceOf(shown.tcpOffset, now.tcpOffset)
  const isSame =
    off.metres < 1e-5 &&
    off.degrees < 0.01 &&
    Math.abs((shown.payload?.mass ?? 0) - (now.payload?.mass ?? 0)) < 0.001
  return isSame ? undefined : fault({ code: 'POSE_CHANGED', key: 'robot-tool-changed' })
}

const pausedIn = ({ program }: RobotState) =>
  program === 'paused' ? fault({ code: 'WRONG_MODE', key: 'robot-paused' }) : undefined
