/** Ends motions and forbids the next: faults, the operator's permission, and the states expected of a moving robot. */
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

/** Codes after which only an operator can continue. A requested stop, or the end of the enable signal, is intended. */
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

export type LatchReason = (typeof latchReasons)[number]

/** `unconfirmed` after a start, deploy or reset; `confirmed` against the pendant; `latched` after anything unexpected. */
export type PermitState = { is: 'unconfirmed' } | { is: 'confirmed' } | { is: 'latched'; reason: LatchReason }

/** The permission to move a robot. Only an operator can confirm it or clear a latch. */
class MotionPermit {
  #state: PermitState = { is: 'unconfirmed' }

  get state(): PermitState {
    return this.#state
  }

  /** An operator confirms the pose. @returns whether that was pending */
  confirm(): boolean {
    if (this.#state.is !== 'unconfirmed') return false
    this.#state = { is: 'confirmed' }
    return true
  }

  /** Something unexpected happened. Before the confirmation there is no permission to withdraw. */
  latch(reason: LatchReason): boolean {
    if (this.#state.is !== 'confirmed') return false
    this.#state = { is: 'latched', reason }
    return true
  }

  /** An operator clears the latch; the pose must be confirmed again. @returns whether something was latched */
  reset(): boolean {
    if (this.#state.is !== 'latched') return false
    this.#state = { is: 'unconfirmed' }
    return true
  }

  /** After a deploy. A latch remains. */
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

type Fault = RobotError & { readonly code: LatchReason }

export const isFault = (error: unknown): error is Fault =>
  error instanceof RobotError && (latchReasons as readonly string[]).includes(error.code)

/** An error after which only an operator can continue. */
export const fault = (failure: Parameters<typeof robotError>[0] & { code: LatchReason }): Fault =>
  robotError(failure) as Fault

/** Why a robot in this state cannot move; undefined if it can. */
export function faultOf({ safety, mode }: Pick<RobotState, 'safety' | 'mode'>): Fault | undefined {
  const code = stops[safety] ?? (mode === 'running' ? undefined : 'WRONG_MODE')
  if (!code) return undefined
  return fault({ code, key: sentences[code], values: { safety, mode: mode satisfies RobotMode } })
}

interface Expected {
  /** A motion or a stop is running. */
  toMove: boolean
  toDrive: boolean
}

/** Consecutive states with motion that mean moving: a single one may be noise. */
const movingStates = 2

/** Monitors the robot's states and withdraws the permission after anything unexpected. Only an operator can grant it. */
export class Supervision {
  readonly #permit = new MotionPermit()
  readonly #notify: (permit: PermitState, because?: RobotError) => void
  #confirmed: RobotState | undefined // confirmed pose, tool and payload
  #movingFor = 0

  constructor(notify: (permit: PermitState, because?: RobotError) => void) {
    this.#notify = notify
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
    if (this.#permit.confirm()) this.#notify(this.permit)
  }

  /** @throws RobotError if the reason persists */
  reset(state: RobotState): void {
    const error = faultOf(state)
    if (error) throw error
    if (!isAtRest(state)) throw robotError({ code: 'NOT_AT_REST', key: 'robot-not-at-rest' })
    if (this.#permit.reset()) this.#notify(this.permit)
  }

  forget(): void {
    this.#permit.forget()
    this.#notify(this.permit)
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
    if (this.#permit.latch(error.code)) this.#notify(this.permit, error)
  }

  /** @returns the fault that ends a running motion */
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

  /** A robot that moves without a command is moved by something else. */
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
