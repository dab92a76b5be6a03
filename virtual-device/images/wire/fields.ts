import { Writer } from '../../../lib/codec/streams/writer'

/** Serialized fields in pieces, so that pixels are never copied. */
export type Pieces = readonly Uint8Array[]

/** Writing is synchronous, so one writer serves all. */
const writer = new Writer()

export const bytesIn = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** A message or bytes, with its length in front. */
export const nested = (number: number, content: Pieces): Pieces => [
  written(() => {
    writer.integer(8 * number + 2)
    writer.integer(bytesIn(content))
  }),
  ...content,
]

/** A number of a field: `int`, a varint; `float`, 32 bits; `text`. */
type Scalar = readonly [number: number, kind: 'int' | 'float' | 'text', value: number | bigint | string]

/** Numbers and texts; what equals its default is not sent. */
export const scalars = (...fields: readonly Scalar[]): Uint8Array =>
  written(() => {
    for (const [number, kind, value] of fields) {
      if (value === '' || Number(value) === 0) continue
      writer.integer(8 * number + wireTypes[kind])
      if (typeof value === 'string') writer.text(value)
      else if (kind === 'float') writer.float(Number(value))
      else writer.integer(value)
    }
  })

const wireTypes = { int: 0, float: 5, text: 2 } as const

function written(write: () => void): Uint8Array {
  writer.start()
  write()
  return writer.finish()
}
