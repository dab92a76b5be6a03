import { differenceOf, missedBy } from '../calibration'
import { fault, faultOf, type Fault } from './judge'
import { MotionPermit, type PermitState } from './permit'
import { robotError, type RobotError } from './robot-error'
import { isAtRest, isMoving, type RobotState } from './state'

/** What the robot is expected to do at the moment. */
export interface Expected {
  /** It may move: a motion or a stop is under way. */
  toMove: boolean
  /** The controller works on a motion. */
  toDrive: boolean
}

/** States in a row with motion, until the robot moves: one may be disturbed. */
const movingStates = 2

/** Watches what a robot tells, and takes the permission away where something is not as expected. Only a person gives it. */
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
