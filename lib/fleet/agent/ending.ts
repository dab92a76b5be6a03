import type { AnswerState } from '../messages'

/** Why a command was not executed, or how it went on, as a stable code. Those of devices and robots are others. */
export const agentCodes = {
  NOT_ALLOWED: 'the cell does not allow this command',
  EXPIRED: 'the command came too late',
  RETAINED: 'the broker had kept the command for whoever comes',
  TOO_OLD: 'a command with this id came long ago, and its answer is no longer kept',
  INTERRUPTED: 'the cell stopped while it executed the command',
  RESTARTED: 'the cell stopped before it began with the command',
  NO_ANSWER: 'a flow did not hand back its result in time',
  RESULT_TOO_LARGE: 'executed; the result is too large for a message',
} as const
export type AgentCode = keyof typeof agentCodes

/** How a command ends. */
export interface Ending {
  state: Extract<AnswerState, 'done' | 'refused' | 'failed' | 'unknown'>
  /** Stable. */
  code?: string
  /** A sentence for people. */
  text?: string
  result?: unknown
}
