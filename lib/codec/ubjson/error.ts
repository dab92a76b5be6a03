import type { Exceeded } from '../json-value'

/** Bytes that are not valid UBJSON, or that exceed a limit. */
export class UbjsonError extends Error {
  override readonly name = 'UbjsonError'

  constructor(
    sentence: string,
    /** Byte offset, from 0, where reading failed. */
    readonly offset: number,
    /** Set if the value would be too large. */
    readonly exceeded?: Exceeded,
  ) {
    super(`${sentence}, at byte ${offset}.`)
  }
}
