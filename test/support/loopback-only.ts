import dns from 'node:dns'
import { isIP, Socket } from 'node:net'

/** Loaded before every test, also by Node-RED: no name resolution, and no connection to another computer. */
const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+|localhost)$/i

export function mustBeLoopback(host: string): void {
  if (loopback.test(host) || isIP(host) === 0) return
  throw Object.assign(new Error(`A test must not connect to ${host}.`), { code: 'EACCES' })
}

const unknown = (hostname: string) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    ...{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname },
  })
const isKnown = (hostname: unknown) =>
  typeof hostname !== 'string' || isIP(hostname) > 0 || loopback.test(hostname)

const { lookup, promises } = dns
const { lookup: lookupPromise } = promises

/** Only addresses and `localhost`. */
function knownLookup(hostname: string, ...rest: unknown[]): void {
  if (isKnown(hostname)) {
    Reflect.apply(lookup, dns, [hostname, ...rest])
    return
  }
  const callback = rest.at(-1) as (error: Error) => void
  process.nextTick(() => callback(unknown(hostname)))
}
const knownLookupPromise = (hostname: string, ...rest: unknown[]): unknown =>
  isKnown(hostname)
    ? Reflect.apply(lookupPromise, promises, [hostname, ...rest])
    : Promise.reject(unknown(hostname))

Object.assign(dns, { lookup: knownLookup })
Object.assign(promises, { lookup: knownLookupPromise })

const connect = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect')?.value as (
  ...args: unknown[]
) => Socket

function connectHere(this: Socket, ...args: unknown[]): Socket {
  const host = hostIn(args)
  if (host !== undefined) mustBeLoopback(host)
  return Reflect.apply(connect, this, args)
}
Socket.prototype.connect = connectHere

/** From any form of `connect`; Node.js itself passes one list. */
function hostIn([first, second]: unknown[]): string | undefined {
  const [options, next] = Array.isArray(first) ? (first as unknown[]) : [first, second]
  const host = typeof options === 'object' && options !== null ? (options as { host?: unknown }).host : next
  return typeof host === 'string' ? host : undefined
}
