/** Bytes that are not a valid message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
  /** Byte offset, from 0, of the field that cannot be read. */
  readonly offset: number
  /** Path of that field: `Frame.pose.pose.position.x`; unknown fields by number. */
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
