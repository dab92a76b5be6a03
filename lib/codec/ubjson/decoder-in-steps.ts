import { cost, mostFields } from '../memory-cost'
import { setOwn } from '../own-property'
import { Decoder, smallestKey } from './decoder'

/** What one step reads at most: some hundred microseconds of work. One text is never cut in two. */
export const stepValues = 256
const stepBytes = 16 * 1024

interface OpenContainer {
  list: unknown[] | undefined
  fields: Record<string, unknown>
  /** The one type of all values, where there is one. */
  type: number | undefined
  /** Values that still follow, where their number is announced. */
  left: number | undefined
  /** Fields so far. */
  count: number
}

/**
 * Reads UBJSON in steps: what is open is kept in a list and not on the stack, so that reading can pause anywhere. Takes
 * longer than `Decoder`, which suits whatever is short.
 */
export class DecoderInSteps extends Decoder {
  private readonly open: OpenContainer[] = []

  /** The marker of the next value, or of the length of its key; undefined at the end of the container. */
  private nextMarker(inner: OpenContainer): number | undefined {
    const { cursor } = this
    if (inner.left === undefined) {
      const marker = cursor.marker()
      return marker === (inner.list ? 0x5d /* ] */ : 0x7d) /* } */ ? undefined : marker
    }
    if (inner.left === 0) return undefined
    inner.left--
    return inner.list && inner.type !== undefined ? inner.type : cursor.marker()
  }

  /** A value; a container as yet empty, whose values are read next. */
  private begun(marker: number): unknown {
    if (marker !== 0x5b /* [ */ && marker !== 0x7b /* { */) return this.value(marker)
    this.enter()
    const list = marker === 0x5b ? [] : undefined
    const fields = {}
    const type = this.type()
    this.open.push({ list, fields, type, left: this.count(type, list ? 0 : smallestKey), count: 0 })
    return list ?? fields
  }

  *steps(): Generator<undefined, unknown> {
    const { cursor, open } = this
    let values = stepValues
    let end = cursor.at + stepBytes
    const whole = this.begun(cursor.marker())
    for (let inner = open.at(-1); inner; inner = open.at(-1)) {
      if (--values < 0 || cursor.at > end) {
        yield
        values = stepValues
        end = cursor.at + stepBytes
      }
      const marker = this.nextMarker(inner)
      if (marker === undefined) {
        open.pop()
        this.depth--
      } else if (inner.list) {
        this.spend(cost.value)
        inner.list.push(this.begun(marker))
      } else {
        if (++inner.count > mostFields) cursor.fail(`An object has more than ${mostFields} fields`)
        const key = this.key(marker)
        setOwn(inner.fields, key, this.begun(inner.type ?? cursor.marker()))
      }
    }
    this.close()
    return whole
  }
}
