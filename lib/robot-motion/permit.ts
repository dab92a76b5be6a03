import type { RobotErrorCode } from './robot-error'

/** Codes after which only a person goes on. A stop on request, or an enable signal that ends, was wanted. */
export const latchReasons = [
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
export class MotionPermit {
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
