import { createServer, type Server } from 'node:net'

/** Ports of this process, below those that the system assigns. */
const own = { first: 10_000 + (process.pid % 200) * 100, count: 100 }
let next = 0

/** The least recently used. */
function portsInRow(count: number): number {
  if ((next % own.count) + count > own.count) next += own.count - (next % own.count)
  const first = own.first + (next % own.count)
  next += count
  return first
}

/** Unused ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let tried = 0; ports.length < count; tried++) {
    if (tried === own.count) throw new Error(`There are no ${count} free ports.`)
    const port = portsInRow(1)
    if (await areFree([port])) ports.push(port)
  }
  return ports
}

/** Ports of an arm's controller, relative to the first. */
const armOffsets = [0, 2, 3, 5]

/** First of a free range, so that an arm can be started twice. */
export async function freeArmPort(): Promise<number> {
  for (let count = 0; count < 50; count++) {
    const first = portsInRow(Math.max(...armOffsets) + 1)
    if (await areFree(armOffsets.map((offset) => first + offset))) return first
  }
  throw new Error('There are no free ports for an arm.')
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  const servers: Server[] = []
  try {
    for (const port of ports) servers.push(await listening(port))
    return true
  } catch {
    return false
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}

const listening = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server))
  })
