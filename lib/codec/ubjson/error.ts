/** Bytes that are not UBJSON, or more than is read. */
export class UbjsonError extends Error {
  override readonly name = 'UbjsonError'

  constructor(
    sentence: string,
    /** Place in the bytes, counted from 0, where reading failed. */
    readonly offset: number,
  ) {
    super(`${sentence}, at byte ${offset}.`)
  }
}
