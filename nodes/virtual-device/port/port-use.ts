import { loopbackOf } from './loopback-of'
import { virtualDeviceAt } from './virtual-device-at'
import { createServer } from 'node:net'

/** Who uses a port. */
export type PortUse =
  | { by: 'nobody' }
  /** The serial number, if known. */
  | { by: 'virtualDevice'; serial?: string }
  | { by: 'program' }
  /** It is a network address, or this user may not listen there. */
  | { by: 'unknown' }

/** Number of ports above the wanted one that are tried. */
export const reach = 20
const lastPort = 65_535

/** Asks whoever listens on a port of this computer what it is. */
export async function portUse(host: string, port: number, signal: AbortSignal): Promise<PortUse> {
  const loopback = loopbackOf(host)
  if (port === 0) return { by: 'nobody' }
  if (loopback === undefined) return { by: 'unknown' }
  const tried = await triedPort(loopback, port)
  if (tried !== 'inUse') return { by: tried === 'free' ? 'nobody' : 'unknown' }
  const device = await virtualDeviceAt({ host: loopback, port }, signal)
  return device ? { by: 'virtualDevice', ...device } : { by: 'program' }
}

/**
 * The first of the twenty ports above this one that nobody uses now.
 * @param others ports reserved for other devices
 */
export async function nextFreePort(
  host: string,
  port: number,
  others: ReadonlySet<number>,
): Promise<number | undefined> {
  const loopback = loopbackOf(host)
  if (loopback === undefined) return undefined
  for (let next = port + 1; next <= Math.min(port + reach, lastPort); next++)
    if (!others.has(next) && (await triedPort(loopback, next)) === 'free') return next
  return undefined
}

type TriedPort = 'free' | 'inUse' | 'notAllowed'

/** Whether a server could listen there now: listens briefly, without accepting a connection. */
function triedPort(host: string, port: number): Promise<TriedPort> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'inUse' : 'notAllowed'),
    )
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')))
  })
}
