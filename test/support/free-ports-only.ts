import { Server } from 'node:net'

/** Loaded before every test, also in threads and Node-REDs: default ports are forbidden, because test files would collide there. */
const defaultPorts = [
  // With the range tried when the default is taken.
  { least: 50_051, most: 50_350, what: 'images' },
  { least: 7_100, most: 7_109, what: 'the robot interface' },
  { least: 8_080, most: 8_080, what: 'the device' },
  { least: 1_502, most: 1_502, what: 'Modbus' },
  { least: 502, most: 502, what: 'Modbus servers that were given none, or 0' },
]

/** @throws Error for a default port */
export function mustBeFree(port: number | undefined): void {
  const taken = defaultPorts.find(({ least, most }) => port !== undefined && port >= least && port <= most)
  if (!taken) return
  throw new Error(
    `A test must not listen on ${port}, the default port of ${taken.what}: use port 0, or freePorts() where 0 means the default.`,
  )
}

const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as (
  ...args: unknown[]
) => Server

function listenFree(this: Server, ...args: unknown[]): Server {
  mustBeFree(portIn(args[0]))
  return Reflect.apply(listen, this, args)
}
Server.prototype.listen = listenFree

/** From any form of `listen`. */
function portIn(first: unknown): number | undefined {
  const port = typeof first === 'object' && first !== null ? (first as { port?: unknown }).port : first
  if (typeof port === 'number') return port
  return typeof port === 'string' && /^\d{1,5}$/.test(port) ? Number(port) : undefined
}
