/** What a body has too much of: fields in one object, or bytes of memory for its whole value. */
export interface Exceeded {
  of: 'fields' | 'memory'
  /** The most that is read. */
  most: number
}

/** A JSON text that is not read, because its value would be too large. */
export class ValueTooLarge extends RangeError {
  override readonly name = 'ValueTooLarge'

  constructor(
    sentence: string,
    readonly exceeded: Exceeded,
  ) {
    super(sentence)
  }
}
