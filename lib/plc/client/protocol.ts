/**
 * What a protocol brings for the one client that polls PLCs (`pollPlc`, `startPlcClient`).
 *
 * The client has the connection and its retries, one pending request at a time, writes before reads, the deadline of each
 * request, the plan of reads and writes, what the PLC has confirmed, and the figures. It never repeats a request. A protocol
 * has the bytes, and is created for one client:
 * - `begin` makes a session for each new connection. `opening` are requests that go out first, one after the other (S7:
 *   connect, set up); the connection counts as open when all have been answered.
 * - `session.bytes` encodes a request; `session.take` cuts what arrives into frames, bounded, and says what each is: the
 *   `answer` of the pending request, a `stray` that belongs to nobody, or the `end` of the connection, since what follows
 *   cannot be read. Over UDP each chunk is one datagram, and frames do not continue in the next one.
 * - `session.missed` is called when the pending request got no answer in time. A protocol whose answers have no serial number
 *   returns an `end`: a late answer must never be taken for that of the next request. One with serial numbers may return
 *   nothing: then this request alone has failed, and its late answer is a stray. An answer that is still to count is possible.
 * - `most`, `joined`, `splitsAfter` and `adaptsTo` say how reads and writes are cut. They are asked anew for each connection, so
 *   that they may depend on what the session has agreed upon.
 * - Areas are those of the map (`MapArea`); items of bit areas are 0 and 1, those of others words of 16 bit. A PLC's own memory
 *   is `words NAME` or `bits NAME` (S7: `words DB2`, `words M`; SLMP: `words W`, `bits M`); `registers` is what the settings
 *   of the connection name (S7: the data block, SLMP: D).
 */
import type { MapArea } from '../data/map'
import type { PlcError } from '../plc-error'
import type { SharedArea } from '../rows'

/** Reads `count` items from `address`, which counts from 0. */
export interface ReadRequest {
  kind: 'read'
  area: MapArea
  address: number
  count: number
}

/** Writes items from `address` on: 0 and 1 for bits, 0 to 65535 for words. */
export interface WriteRequest {
  kind: 'write'
  area: SharedArea
  address: number
  values: readonly number[]
}

/** What a client sends. `Own` are requests that only its protocol has. */
export type PlcRequest<Own = never> = ReadRequest | WriteRequest | Own

/** Which PLC, and how patiently, for the sentences. */
export interface PlcPlace {
  host: string
  port: number
  /** Milliseconds for an answer. */
  deadline: number
}

export interface PlcProtocol<Own = never> {
  readonly transport: 'tcp' | 'udp'
  /** Where a PLC usually listens; 0: nowhere in particular. */
  readonly port: number
  /** A new connection. */
  begin: (place: PlcPlace) => PlcSession<Own>
  /** @throws PlcError `INVALID_INPUT` for what no frame can carry */
  check: (request: PlcRequest<Own>) => void
  /** Whether it changes nothing at the PLC: without an answer, a write may have taken effect. */
  isRead: (request: PlcRequest<Own>) => boolean
  /** Most items of one request. */
  most: ItemLimits
  /** Several reads in one request, where a frame takes more than one; its answer has their items one after the other. */
  joined?: (reads: readonly ReadRequest[]) => PlcRequest<Own> | undefined
  /** Whether a read was refused because of addresses between the wanted ones. */
  splitsAfter: (refusal: PlcError) => boolean
  /** Whether the protocol writes in another manner from now on, because the PLC lacks this one. Nothing has been written. */
  adaptsTo?: (refusal: PlcError, refused: WriteRequest) => boolean
  /** The protocol's own sentence for a failure of the connection. @default the general one */
  explain?: (failure: LinkFailure, place: PlcPlace) => PlcError | undefined
}

export interface ItemLimits {
  read: (area: MapArea) => number
  write: (area: SharedArea) => number
}

export interface PlcSession<Own = never> {
  /** Requests that open the session. */
  readonly opening?: readonly PlcRequest<Own>[]
  /** The bytes of the request that is pending from now on. */
  bytes: (request: PlcRequest<Own>) => Uint8Array
  /** What has arrived. After an `end`, nothing more is taken. */
  take: (chunk: Buffer) => Iterable<Incoming>
  /** The pending request has no answer in time. @returns nothing: it is given up, and the connection goes on */
  missed: () => Exclude<Incoming, { is: 'stray' }> | undefined
}

/** What has arrived. */
export type Incoming =
  /** The answer of the pending request: the items that were read, none for a write; or an error `REFUSED` or `BAD_REPLY`. */
  { is: 'answer'; answer: number[] | PlcError } | { is: 'stray' } | { is: 'end'; error: PlcError }

/** Why there is no connection, or a request has no answer. */
export type LinkFailure =
  | { is: 'unreachable' | 'lost'; reason: string; isOpening: boolean }
  | { is: 'no-answer' }
