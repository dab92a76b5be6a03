/** A frame of HTTP/2, for what a correct implementation never sends. */
export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header as HPACK writes it without its tables; at most 127 characters each. */
export const field = (name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ])

/** Types and flags of frames. */
export const [dataFrame, headersFrame, resetFrame, settingsFrame, goawayFrame, windowFrame] = [
  0, 1, 3, 4, 7, 8,
]
export const [endStream, endHeaders] = [1, 4]

/** What a client sends first. */
export const preface = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(settingsFrame, 0, 0, Buffer.alloc(0)),
])

/** A number of four bytes. */
export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
