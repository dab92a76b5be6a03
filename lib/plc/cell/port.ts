import type { PlcError } from '../plc-error'
import type { HandshakeEvent } from '../handshake'
import type { CellSays, PlcSays } from '../rows'

/** What a connection to a PLC reports, each at once. */
export interface PortEvents {
  /** @param reason why it is down, for whoever asks: what people should read of it is a trouble */
  onLink: (up: boolean, reason?: PlcError) => void
  /**
   * A look at the PLC's words, or a write of the PLC.
   * @param write where the memory is the cell's own: what set the words
   * @param kept whether the cell's own words still stand as they were written; undefined where nobody looked
   */
  onSample: (says: PlcSays, kept: boolean | undefined, write?: PlcWrite) => void
  /** The PLC has read from memory of the cell's own. @param state the state, not other words alone */
  onRead?: (state: boolean) => void
  /** Something to be reported that ends nothing: a host that was refused, a poll without an answer. */
  onTrouble: (error: PlcError) => void
}

export type PlcWrite = NonNullable<Extract<HandshakeEvent, { type: 'sample' }>['write']>

/** One connection to one PLC, whatever the protocol. */
export interface PlcPort {
  /**
   * Writes the cell's words, results before the state that makes them valid.
   * @param all everything, for a PLC whose memory is unknown
   * @returns when the PLC has them @throws PlcError
   */
  write: (says: CellSays, all: boolean) => Promise<void>
  /** Whether this computer looks for triggers at intervals, instead of being told of each write. */
  readonly isPolled: boolean
  /** Whether the words are in memory of the cell's own, and each write of the PLC is told. */
  readonly isOwn: boolean
  /** Milliseconds after which a reader counts as silent, where it is one that answers rarely. */
  readonly silence?: number
  /** Figures for people; none of them is a secret. */
  readonly figures: PortFigures
  /** Resolves when nothing is left. */
  close: () => Promise<void>
}

export interface PortFigures {
  /** Addresses of the PLCs that are connected. */
  clients?: readonly string[]
  /** Where the server listens. */
  port?: number
  /** Hosts that were not allowed to connect. */
  refused?: number
  /** The last of them, newest first. */
  refusedHosts?: readonly string[]
  /** `performance.now()` of the PLC's last request. */
  heardAt?: number
  /** Milliseconds to an answer of the PLC. */
  responseTime?: number
  /** Milliseconds from one poll to the next, as measured. */
  poll?: { mean?: number; longest?: number; skipped: number }
}
