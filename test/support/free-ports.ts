import { createServer, type AddressInfo, type Server } from 'node:net'

/** Ports of 127.0.0.1 on which nobody listens at the moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Distances of the ports of an arm's controller from its first. */
const armOffsets = [0, 2, 3, 5]

/** The first port of an arm whose ports are all free at the moment, so that it can be started there twice. */
export async function freeArmPort(): Promise<number> {
  for (let count = 0; count < 50; count++) {
    const [first = 0] = await freePorts(1)
    const servers: Server[] = []
    try {
      for (const offset of armOffsets) servers.push(await listening(first + offset))
      return first
    } catch {
      // One of them is taken: elsewhere.
    } finally {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    }
  }
  throw new Error('There are no free ports for an arm.')
}

const listening = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server))
  })
