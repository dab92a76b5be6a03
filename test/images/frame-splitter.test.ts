import fc from 'fast-check'
import should from 'should'
import { FrameSplitter } from '../../lib/images/frame-splitter'

/** A frame as it comes over the wire. */
function frame(type: number, stream: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Reads bytes in pieces of these lengths, and keeps what comes out. */
function split(bytes: Buffer, lengths: readonly number[]) {
  const seen = { content: [] as Buffer[], own: [] as Buffer[], others: [] as Buffer[], counted: 0 }
  const splitter = new FrameSplitter({
    content: (piece, from, to) => seen.content.push(Buffer.from(piece.subarray(from, to))),
    other: (other, isOwn) => (isOwn ? seen.own : seen.others).push(Buffer.from(other)),
    counted: (count) => (seen.counted += count),
  })
  for (let at = 0, next = 0; at < bytes.length; next++) {
    const end = at + Math.max(1, lengths[next % Math.max(1, lengths.length)] ?? 1)
    // The memory is used again, as that of a socket is.
    const piece = Buffer.from(bytes.subarray(at, end))
    splitter.take(piece)
    piece.fill(0xee)
    at = end
  }
  const joined = (list: Buffer[]) => Buffer.concat(list).toString('hex')
  return {
    ...{ content: joined(seen.content), own: joined(seen.own), others: joined(seen.others) },
    counted: seen.counted,
  }
}

const payload = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))
const aFrame = fc.record({
  payload,
  kind: fc.constantFrom('data', 'padded', 'last', 'headers', 'ping', 'foreign', 'goaway'),
  padding: fc.nat({ max: 9 }),
})

describe('the frames of an image stream', () => {
  it('are split into content and everything else, however they are cut into pieces', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.array(aFrame, { maxLength: 12 }), lengths, (frames, pieces) => {
        const expected = { content: '', own: '', others: '', counted: 0 }
        const bytes = frames.map(({ kind, payload: content, padding }) => {
          const hex = content.toString('hex')
          if (kind === 'data' || kind === 'last') {
            expected.content += hex
            expected.counted += content.length
            if (kind === 'last') expected.own += frame(0, 1, Buffer.alloc(0), 1).toString('hex')
            return frame(0, 1, content, kind === 'last' ? 1 : 0)
          }
          if (kind === 'padded') {
            expected.content += hex
            expected.counted += content.length + padding + 1
            return frame(0, 1, Buffer.concat([Buffer.from([padding]), content, Buffer.alloc(padding)]), 8)
          }
          const [type = 0, stream = 0] = { headers: [1, 1], ping: [6, 0], foreign: [0, 3], goaway: [7, 0] }[
            kind
          ]
          const whole = frame(type, stream, content)
          if (kind === 'headers') expected.own += whole.toString('hex')
          else expected.others += whole.toString('hex')
          return whole
        })
        should(split(Buffer.concat(bytes), pieces)).eql(expected)
      }),
      { numRuns: process.env['CELLSIGHT_LONG'] ? 20_000 : 500 },
    )
  })

  const wrong: Record<string, Buffer> = {
    'more padding than bytes': frame(0, 1, Buffer.from([9, 1, 2]), 8),
    'padding without a byte for it': frame(0, 1, Buffer.alloc(0), 8),
    'more bytes than a frame may have': frame(0, 1, Buffer.alloc(16_385)),
  }
  for (const [what, bytes] of Object.entries(wrong))
    it(`are left to node:http2 if there is ${what}`, () => {
      for (const size of [1, 5, 100_000])
        should(split(bytes, [size])).eql({ content: '', own: bytes.toString('hex'), others: '', counted: 0 })
    })
})
