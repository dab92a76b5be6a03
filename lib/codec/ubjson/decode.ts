import { Decoder } from './decoder'
import { DecoderInSteps } from './decoder-in-steps'

export interface DecodeOptions {
  /** Limit for values without bytes of their own in lists of one type, all lists together. @default 100000 */
  maxFreeValues?: number
}

/**
 * Decodes one value of Universal Binary JSON, draft 12.
 *
 * Integers beyond the safe range become bigints; high-precision numbers become a number, a bigint or a `HighPrecision`,
 * whichever is exact. Numbers that JSON cannot hold (NaN, infinity) become null, characters strings, lists of any type
 * arrays. Every key becomes an own property, `__proto__` included; of equal keys the last one counts.
 * @throws UbjsonError for anything else, with the byte offset; also for more than 200 levels, and for a value that
 * would take more memory than 16 times its bytes and 2 MiB, or than 40 MiB
 */
export function decodeUbjson(bytes: Uint8Array, { maxFreeValues = 100_000 }: DecodeOptions = {}): unknown {
  return new Decoder(bytes, maxFreeValues).message()
}

/** Decodes as `decodeUbjson` does, in small steps with a yield after each, for `inSlices`. */
export function ubjsonSteps(
  bytes: Uint8Array,
  { maxFreeValues = 100_000 }: DecodeOptions = {},
): Generator<undefined, unknown> {
  return new DecoderInSteps(bytes, maxFreeValues).steps()
}
