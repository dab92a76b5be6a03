import type { KeyOf } from '../../kernel/sentences'
import type { Command, CommandKind, fleetSentences } from '../messages'
import type { Ending } from './ending'
import type { AgentJournal } from './journal'
import type { Outgoing } from './memory'
import type { Rights } from './rights'

/** What an execution can use. */
export interface CommandWork {
  /** Aborted when the agent stops; the journal decides later what becomes of the command. */
  signal: AbortSignal
  progress: (phase: string, percent?: number) => void
  /** Says how it can be ended before its time. Without, it cannot. */
  abortable: (abort: () => Promise<void>) => void
  /** Notes what an execution that goes on after a restart must know. Resolves when that is kept. */
  stage: (stage: Readonly<Record<string, string>>) => Promise<void>
  /** Of an execution that goes on after a restart. */
  resumed: Readonly<Record<string, string>> | undefined
}

export interface AgentOptions {
  plant: string
  cell: string
  /** A random id of this start. */
  boot: string
  journal: AgentJournal
  rights: Rights
  /** @returns how it ended; a rejection is one too, as `failed` */
  execute: (command: Command, work: CommandWork) => Promise<Ending>
  /** Kinds whose execution goes on after a restart. */
  resumable: ReadonlySet<CommandKind>
  /** Publishes; whether it arrives is not known. */
  send: (message: Outgoing) => void
  /** A sentence for people. */
  say: (key: KeyOf<typeof fleetSentences>, values?: Record<string, unknown>) => string
  /** What is told of a rejected execution, or of a disk that cannot be written. */
  failed: (error: unknown) => Ending
  /** Something of the state has changed. */
  changed?: () => void
  /** Milliseconds since 1970. @default Date.now */
  clock?: () => number
  /** Milliseconds of a monotonic clock. @default performance.now */
  now?: () => number
  /** Calls back after so many milliseconds. @returns takes that back @default with a timer */
  later?: (work: () => void, milliseconds: number) => () => void
}
