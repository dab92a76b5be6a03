import type { LinkCounts, RobotSnapshot } from './connected-robots'
import type { Answered, Reply, RobotCycle, RobotResult } from './cycle'
import type { UnreadableRequest } from './requests'

/** A port where robots connect and ask, whatever they speak. */
export interface Link {
  readonly host: string
  readonly port: number
  /** The connected robots. */
  readonly robots: readonly RobotSnapshot[]
  readonly counts: Readonly<LinkCounts>
  /** Answers the request of that token. @returns how it was taken, and what the robot was told */
  answer: (token: string, result: RobotResult) => Answered
  /** Ends all connections; nothing is told any more. */
  close: () => Promise<void>
}

export interface LinkEvents {
  onCycle: (cycle: RobotCycle, address: string) => void
  /** A cycle is over without an answer of the flow: expired, replaced, or the robot has gone. */
  onOver: (cycle: { token: string }) => void
  /** A robot was told something. */
  onReply: (reply: Reply, address: string) => void
  onTold: (told: LinkTold) => void
  onChange: () => void
}

/** What people should know. */
export type LinkTold =
  | { what: 'connected' | 'disconnected' | 'left' | 'left-job' | 'replaced'; address: string }
  | { what: 'refused'; address: string; reason: 'not-allowed' | 'too-many' }
  | ({ what: 'not-understood'; address: string } & UnreadableRequest)
  | { what: 'not-allowed'; address: string; text: string }
  | { what: 'late' | 'second' | 'foreign' }
