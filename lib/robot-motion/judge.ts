import { latchReasons, type LatchReason } from './permit'
import { robotError, RobotError } from './robot-error'
import type { RobotMode, RobotState, SafetyState } from './state'

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
export type Fault = RobotError & { readonly code: LatchReason }

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
