// node image-sender.js BYTES: sends image sets as fast as they are taken; prints its port. Shares no code with the package.
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** Protobuf varint. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}
const number = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)])
const part = (field: number, content: Buffer) =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content])

/** A left picture of nearly this many bytes, framed for gRPC. */
function framedSet(bytes: number): Buffer {
  const width = Math.round(Math.sqrt((bytes * 4) / 3))
  const height = Math.floor(bytes / width)
  const time = Buffer.concat([number(1, 1_700_000_000), number(2, 123_456_789)])
  const pixels = Buffer.alloc(width * height)
  for (let index = 0; index < pixels.length; index++) pixels[index] = (index * 2_654_435_761) >>> 24
  const left = Buffer.concat([
    ...[part(1, time), number(2, height), number(3, width), part(7, Buffer.from('mono8')), number(9, width)],
    part(10, pixels),
  ])
  const set = Buffer.concat([part(1, time), part(2, left)])
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(set.length, 1)
  return Buffer.concat([prefix, set])
}

const set = framedSet(Number(process.argv[2]))
const server = createServer()
server.on('session', (session) => session.on('error', () => undefined))
server.on('stream', (stream) => {
  let isOpen = true
  stream.on('error', () => undefined)
  stream.once('close', () => (isOpen = false))
  stream.resume()
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
  const send = () => {
    while (isOpen && stream.write(set));
    stream.once('drain', send)
  }
  send()
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
