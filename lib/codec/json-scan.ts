import { ValueTooLarge } from './exceeded'
import { cost, mostMemory } from './memory-cost'
import { deepest, tooDeep } from './nesting'

/**
 * Scans a JSON text from one bracket or comma outside of strings to the next, before it is parsed, because parsing cannot
 * be interrupted: refuses a text that is nested too deep or would take many times its size in memory. One pass over the
 * bytes, without allocation.
 */
export class JsonScan {
  /** The position of the bracket or comma, or of the last byte scanned. */
  at = -1
  /** Number of open lists and objects. */
  depth = 0
  private readonly memory: number
  private taken = 0
  private isString = false

  constructor(
    private readonly bytes: Uint8Array,
    private readonly levels = deepest,
  ) {
    this.memory = mostMemory(bytes.length)
  }

  /**
   * The next bracket or comma, or 0 where there is none before `end`.
   * @throws RangeError
   */
  next(end: number): number {
    const { bytes } = this
    let at = this.at + 1
    if (this.isString) at = this.afterString(at, end)
    for (; at < end; at++) {
      const byte = bytes[at] as number
      switch (byte) {
        case 0x22 /* " */:
          at = this.afterString(at + 1, end) - 1
          break
        case 0x3a /* : */:
          this.take(cost.field)
          break
        case 0x5b /* [ */:
        case 0x7b /* { */:
          if (++this.depth > this.levels) throw tooDeep(this.levels)
          this.take(cost.container)
          this.at = at
          return byte
        case 0x5d /* ] */:
        case 0x7d /* } */:
          this.depth--
          this.at = at
          return byte
        case 0x2c /* , */:
          this.take(cost.value)
          this.at = at
          return byte
      }
    }
    this.at = at - 1
    return 0
  }

  /** Where the string ends, or where to continue it: one byte behind the end if the last byte was a backslash. */
  private afterString(from: number, end: number): number {
    const { bytes } = this
    let at = from
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === 0x5c /* \ */) at++
      else if (byte === 0x22 /* " */) {
        this.isString = false
        return at + 1
      }
    }
    this.isString = true
    return at
  }

  private take(bytes: number): void {
    this.taken += bytes
    if (this.taken > this.memory)
      throw new ValueTooLarge(`The value would take more than ${this.memory} bytes of memory.`, {
        of: 'memory',
        most: this.memory,
      })
  }
}

/** @throws RangeError for a text that is nested too deep or would take many times its size in memory */
export function checkJson(text: Uint8Array, levels = deepest): void {
  const scan = new JsonScan(text, levels)
  while (scan.next(text.length) !== 0);
}
