/** Bytes that are not the message they should be. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
  /** Place in the bytes, counted from 0, of the field that cannot be read. */
  readonly offset: number
  /** That field, from the message down: `Frame.pose.pose.position.x`; unknown ones by number. */
  readonly path: string
  /** Whether the bytes end inside the field. */
  readonly truncated: boolean

  constructor(
    sentence: string,
    { offset, path, truncated }: { offset: number; path: string; truncated: boolean },
  ) {
    super(`${path} at byte ${offset}: ${sentence}.`)
    this.offset = offset
    this.path = path
    this.truncated = truncated
  }
}
