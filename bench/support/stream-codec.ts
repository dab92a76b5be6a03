import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'protobufjs'
import { decodeMessage, encodeMessage } from '../../lib/codec/streams'
import type { BenchRow } from '../row'
import { compared, each } from './compared'
import { streamBodies, type StreamBodies } from './stream-bodies'

const source = readFileSync(join(__dirname, '../../lib/codec/streams/streams.proto'), 'utf8')

/** Decoding and encoding of each message, against what the engine does for JSON and what protobufjs generates. */
export const codecRows = (): BenchRow[] => streamBodies.flatMap(rowsOf)

function rowsOf({ name, type, bodies, packed = true }: StreamBodies): BenchRow[] {
  const schema = packed ? source : source.replaceAll('packed = true', 'packed = false')
  const reflected = parse(schema, { keepCase: true }).root.lookupType(`cellsight.vision.streams.${type}`)
  const messages = bodies as readonly Record<string, unknown>[]
  // Datagrams lie in memory of their own, not in the pool of small buffers.
  const encoded = messages.map((body) => {
    const bytes = reflected.encode(reflected.fromObject(body)).finish()
    return Buffer.from(new Uint8Array(bytes).buffer)
  })
  const texts = messages.map((body) => JSON.stringify(body))
  const decoding = compared(
    `decode ${name}`,
    each(encoded, (bytes) => decodeMessage(type, bytes)),
    {
      protobufjs: each(encoded, (bytes) => reflected.decode(bytes)),
      'JSON.parse': each(texts, (text) => JSON.parse(text) as unknown),
    },
  )
  if (!packed) return decoding
  const encoding = compared(
    `encode ${name}`,
    each(messages, (body) => encodeMessage(type, body)),
    {
      protobufjs: each(messages, (body) => reflected.encode(body).finish()),
      'JSON.stringify to bytes': each(messages, (body) => Buffer.from(JSON.stringify(body))),
    },
  )
  return [...decoding, ...encoding]
}
