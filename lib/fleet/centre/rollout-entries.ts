/** How a job on a device ended. */
export const endings = ['done', 'failed', 'unknown', 'not-reached', 'skipped'] as const
export type Ending = (typeof endings)[number]

/** Codes of `not-reached` for devices that were left out, and are no failures: nothing was tried. */
export const leftOut = ['NOT_SEEN', 'MOVED', 'FORGOTTEN'] as const
export type LeftOut = (typeof leftOut)[number]
export const isLeftOut = ({ ending, code }: Pick<MemberEnding, 'ending' | 'code'>): boolean =>
  ending === 'not-reached' && (leftOut as readonly (string | undefined)[]).includes(code)

/** The outcome on one device. */
export interface MemberEnding {
  ending: Ending
  /** Stable code of a failure. */
  code?: string
  /** In the words of the cell. */
  text?: string
  result?: unknown
  /** ISO 8601, by the clock of the cell or of the centre. */
  at: string
}

/** Why no further device is begun. */
export type StopReason = 'asked' | 'failures' | 'late' | 'not-approved'

/** A line of a rollout's journal. What it says holds from then on; members by their index. */
export type RolloutEntry =
  | { kind: 'begun'; members: number[] }
  | { kind: 'accepted'; members: number[] }
  | { kind: 'ended'; member: number; ending: MemberEnding }
  | { kind: 'skipped'; ending: 'skipped' | 'not-reached'; at: string }
  | { kind: 'approved'; wave: number }
  | { kind: 'paused' | 'resumed' }
  | { kind: 'stopped'; reason: StopReason }
  | { kind: 'finished'; at: string }
