import { dataUrlOf } from '../../lib/images/picture/png'
import { isObject } from '../shared/is-object'

/**
 * The picture of a message as the address of an image: drawn over by *call service*, or as *acquire* and *image receive* send
 * it, as a PNG file or a data URL, alone or as the left one of several parts. Undefined where it has none.
 */
export function pictureIn(msg: object): string | undefined {
  const { picture, payload } = msg as { picture?: unknown; payload?: unknown }
  const left = isObject(payload) ? payload['left'] : undefined
  return [picture, payload, left].map(asUrl).find((url) => url !== undefined)
}

const asUrl = (value: unknown): string | undefined =>
  Buffer.isBuffer(value) && value.subarray(1, 4).toString('latin1') === 'PNG'
    ? dataUrlOf(value)
    : typeof value === 'string' && value.startsWith('data:image/')
      ? value
      : undefined
