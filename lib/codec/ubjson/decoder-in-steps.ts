import { cost, mostFields } from '../json-value'
import { setOwn } from '../own-property'
import type { Cursor } from './cursor'
import { Decoder, smallestKey } from './decoder'

/** Most values per step: some hundred microseconds of work. A text is never split. */
export const stepValues = 256
const stepBytes = 16 * 1024

interface OpenContainer {
  list: unknown[] | undefined
  fields: Record<string, unknown>
  /** The one type of all values, if the container declares one. */
  type: number | undefined
  /** Values still to come, if their number is declared. */
  left: number | undefined
  /** Fields so far. */
  count: number
}

/**
 * Decodes UBJSON in steps: open containers are kept in a list and not on the stack, so that decoding can pause
 * anywhere. Slower than `Decoder`, which suits short bodies.
 */
export class DecoderInSteps extends Decoder {
  private readonly open: OpenContainer[] = []

  /** The marker of the next value, or of its key's length; undefined at the end of the container. */
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

  /** A value, or an empty container whose values are read next. */
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
        if (++inner.count > mostFields) tooManyFields(cursor)
        const key = this.key(marker)
        setOwn(inner.fields, key, this.begun(inner.type ?? cursor.marker()))
      }
    }
    this.close()
    return whole
  }
}

const tooManyFields = (cursor: Cursor): never =>
  cursor.fail(`An object has more than ${mostFields} fields`, cursor.at, { of: 'fields', most: mostFields })
