/** Wireshark's dissectors on what two peers have said to each other over TCP. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listening } from './listening'

const run = promisify(execFile)

/** A piece of a conversation as it came. */
interface CapturedMessage {
  connection: number
  byClient: boolean
  bytes: Buffer
}

/** Stands between a client and a server, and remembers what they say. */
export async function eavesdropper(port: number) {
  const messages: CapturedMessage[] = []
  let connections = 0
  const server = await listening(
    createServer({ noDelay: true }, (client) => {
      const connection = connections++
      const peer = connect({ port, host: '127.0.0.1', noDelay: true })
      const pass = (from: Socket, to: Socket, byClient: boolean) =>
        from
          .on('data', (bytes) => {
            messages.push({ connection, byClient, bytes })
            to.write(bytes)
          })
          .on('error', () => undefined)
          .on('close', () => to.destroy())
      pass(client, peer, true)
      pass(peer, client, false)
    }),
  )
  return { ...server, messages }
}

/** @param fields of each packet that the filter lets through @returns a line for each */
export async function dissected(
  messages: readonly CapturedMessage[],
  port: number,
  filter: string,
  fields: readonly string[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tshark-'))
  try {
    const file = join(folder, 'said.pcap')
    await writeFile(file, captured(messages, port))
    const shown = fields.flatMap((field) => ['-e', field])
    const { stdout } = await run('tshark', ['-r', file, '-Y', filter, '-T', 'fields', ...shown], {
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout.split('\n').filter(Boolean)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A capture file: each piece is a segment between two addresses, in order and without a gap. */
function captured(messages: readonly CapturedMessage[], port: number): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(65_535, 16)
  header.writeUInt32LE(101, 20)
  const sent = new Map<string, number>()
  const packets = messages.map(({ connection, byClient, bytes }, index) => {
    const [mine, theirs] = [byClient, !byClient].map((client) => `${connection} ${client}`) as [
      string,
      string,
    ]
    const [from, to] = byClient ? [40_000 + connection, port] : [port, 40_000 + connection]
    const before = sent.get(mine) ?? 1
    sent.set(mine, before + bytes.length)
    const packet = Buffer.alloc(40)
    packet.set([0x45, 0], 0)
    packet.writeUInt16BE(40 + bytes.length, 2)
    packet.set([64, 6], 8)
    packet.set(byClient ? [10, 0, 0, 1, 10, 0, 0, 2] : [10, 0, 0, 2, 10, 0, 0, 1], 12)
    packet.writeUInt16BE(from, 20)
    packet.writeUInt16BE(to, 22)
    packet.writeUInt32BE(before, 24)
    packet.writeUInt32BE(sent.get(theirs) ?? 1, 28)
    packet.set([0x50, 0x18, 0xff, 0xff], 32)
    const record = Buffer.alloc(16)
    record.writeUInt32LE(1 + Math.floor(index / 1000), 0)
    record.writeUInt32LE((index % 1000) * 1000, 4)
    record.writeUInt32LE(packet.length + bytes.length, 8)
    record.writeUInt32LE(packet.length + bytes.length, 12)
    return Buffer.concat([record, packet, bytes])
  })
  return Buffer.concat([header, ...packets])
}
