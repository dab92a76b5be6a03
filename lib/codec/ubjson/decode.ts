import { Decoder } from './decoder'
import { DecoderInSteps } from './decoder-in-steps'

export interface DecodeOptions {
  /** Values without bytes of their own that lists of one type may announce, all lists together. @default 100000 */
  maxFreeValues?: number
}

/**
 * Reads one value of Universal Binary JSON, draft 12.
 *
 * Integers beyond the safe ones become bigints, high-precision numbers what holds them exactly: a number, a bigint or
 * a `HighPrecision`. Numbers that JSON cannot hold (NaN, infinity) become null, characters strings, lists of any type
 * arrays. Every key becomes the object's own property, `__proto__` too; of equal keys the last one counts.
 * @throws UbjsonError for anything else, with the place in the bytes; also for more than 200 levels, and for what would
 * take more memory than 16 times its bytes and 1 MiB, or than 64 MiB
 */
export function decodeUbjson(bytes: Uint8Array, { maxFreeValues = 100_000 }: DecodeOptions = {}): unknown {
  return new Decoder(bytes, maxFreeValues).message()
}

/** Reads the same in small steps, a yield after each, for `inSlices`. */
export function ubjsonSteps(
  bytes: Uint8Array,
  { maxFreeValues = 100_000 }: DecodeOptions = {},
): Generator<undefined, unknown> {
  return new DecoderInSteps(bytes, maxFreeValues).steps()
}
