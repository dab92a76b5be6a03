import { get } from 'node:http'
import { createServer, isIPv4 } from 'node:net'
import type { Node, NodeAPI } from 'node-red'
import { abortedAfter } from '../../lib/kernel/timers'
import { sentencesOf } from '../sentences'
import { type AdminCall, answering, jsonBody, oncePerServer, turnstile } from '../shared/admin'
import { isObject } from '../shared/is-object'
import { invalidInput } from '../shared/sentences'

const known: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '::': '::1',
  '::1': '::1',
}

/** Undefined for a network address, which is never queried. */
const loopbackOf = (host: string): string | undefined =>
  Object.hasOwn(known, host) ? known[host] : isIPv4(host) && host.startsWith('127.') ? host : undefined

const ports = new Map<Node, number>()

/** Without a port, removes the entry. */
export function noteOwnPort(node: Node, port?: number): void {
  if (port === undefined) ports.delete(node)
  else ports.set(node, port)
}

/** In a subflow, of any instance. */
const isOwnPort = (id: string, port: number): boolean =>
  [...ports].some(([node, taken]) => taken === port && (node.id === id || aliasOf(node) === id))

const aliasOf = (node: Node) => (node as Node & { _alias?: string })._alias

const { say } = sentencesOf('virtual-device')

/** With the reason, and a free port. */
export class PortNotFree extends Error {
  override readonly name = 'PortNotFree'
  readonly code = 'PORT_NOT_FREE'

  constructor(
    message: string,
    readonly freePort: number | undefined,
  ) {
    super(message)
  }
}

interface TakenPort {
  host: string
  port: number
}

/** Finds the program on the port and a free port; otherwise the original problem. */
export async function portNotFree(
  RED: NodeAPI,
  node: Node,
  { host, port }: TakenPort,
  problem: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if ((problem as { code?: unknown }).code !== 'PORT_NOT_FREE') return problem
  const use = await portUse(host, port, signal)
  if (use.by === 'nobody' || use.by === 'unknown') return problem
  const free = await nextFreePort(host, port, portsOfOthers(RED, node))
  return new PortNotFree(`${holder(use, port)} ${advice(free)}`, free)
}

function holder(use: PortUse, port: number): string {
  if (use.by === 'program') return say('port-of-program', { port })
  const serial = use.by === 'virtualDevice' ? use.serial : undefined
  return serial === undefined
    ? say('port-of-virtual-device', { port })
    : say('port-of-serial', { port, serial })
}

const advice = (free: number | undefined): string =>
  free === undefined ? say('no-free-port', { tried: reach }) : say('free-port', { free })

function portsOfOthers(RED: NodeAPI, { id }: Node): Set<number> {
  const ports = new Set<number>()
  RED.nodes.eachNode((definition) => {
    const { type, id: other, port } = definition as { type: string; id: string; port?: unknown }
    if (type === 'vision-virtual-device' && other !== id) ports.add(Number(port))
  })
  return ports
}

export interface PortQuestion {
  node: string
  host: string
  port: number
  /** Ports of other virtual devices in the editor; at most 1000. */
  others: readonly number[]
}

export type PortAnswer = (PortUse | { by: 'itself' }) & {
  /** If the requested one is in use or configured elsewhere. */
  free?: number
}

const atOnce = 4

const lastPort = 65_535

const mostOthers = 1000

/** Tests the port entered in a form, so it needs the permission `vision.write`. */
export const portRoute = oncePerServer(({ auth, httpAdmin }) => {
  const pass = turnstile(atOnce)
  httpAdmin.post(
    '/vision-devices/port',
    auth.needsPermission('vision.write'),
    answering((call) => pass(() => portAnswer(call))),
  )
})

async function portAnswer({ request, signal }: AdminCall): Promise<PortAnswer> {
  const { node, host, port, others } = questionOf(jsonBody(request))
  const use = isOwnPort(node, port) ? ({ by: 'itself' } as const) : await portUse(host, port, signal)
  const isTaken = use.by === 'virtualDevice' || use.by === 'program'
  if (!isTaken && !others.includes(port)) return use
  const free = await nextFreePort(host, port, new Set(others))
  return { ...use, ...(free !== undefined && { free }) }
}

/** @throws INVALID_INPUT naming the field */
function questionOf({ node = '', host, port, others = [] }: Record<string, unknown>): PortQuestion {
  if (typeof node !== 'string') throw invalidInput('not-text', { field: 'node' })
  if (typeof host !== 'string') throw invalidInput('not-text', { field: 'host' })
  if (!isPort(port)) throw invalidInput('not-a-number', { field: 'port', value: String(port) })
  if (!Array.isArray(others) || others.length > mostOthers || !others.every(isPort))
    throw invalidInput('not-a-number', { field: 'others', value: '' })
  return { node, host, port, others }
}

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= lastPort

type PortUse =
  | { by: 'nobody' }
  /** `serial`, if known. */
  | { by: 'virtualDevice'; serial?: string }
  | { by: 'program' }
  /** Network address, or no permission to listen there. */
  | { by: 'unknown' }

/** Ports tried above the requested one. */
const reach = 20

export async function portUse(host: string, port: number, signal: AbortSignal): Promise<PortUse> {
  const loopback = loopbackOf(host)
  if (port === 0) return { by: 'nobody' }
  if (loopback === undefined) return { by: 'unknown' }
  const tried = await triedPort(loopback, port)
  if (tried !== 'inUse') return { by: tried === 'free' ? 'nobody' : 'unknown' }
  const device = await virtualDeviceAt({ host: loopback, port }, signal)
  return device ? { by: 'virtualDevice', ...device } : { by: 'program' }
}

/** Among the next twenty. @param others reserved by other devices */
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

/** Listens briefly, without accepting a connection. */
function triedPort(host: string, port: number): Promise<TriedPort> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'inUse' : 'notAllowed'),
    )
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')))
  })
}

/** Milliseconds for all requests; bytes of an answer. */
const most = { time: 2000, bytes: 64 * 1024 }

interface LoopbackPort {
  /** Loopback. */
  host: string
  port: number
}

/** With its serial number if reported; undefined for other servers, or without an answer within two seconds. */
async function virtualDeviceAt(
  place: LoopbackPort,
  signal: AbortSignal,
): Promise<{ serial?: string } | undefined> {
  const limit = AbortSignal.any([signal, abortedAfter(most.time)])
  const scenario = await jsonAt(place, '/virtual/scenario', limit)
  // Answered in any scenario, even while the API is offline or starting.
  if (typeof scenario?.['offline'] !== 'boolean' || typeof scenario['boot_seconds'] !== 'number')
    return undefined
  const serial = (await jsonAt(place, '/api/v2/system', limit))?.['serial']
  return typeof serial === 'string' && /^[A-Za-z\d-]{1,32}$/.test(serial) ? { serial } : {}
}

/** Undefined on any failure. */
function jsonAt(
  place: LoopbackPort,
  path: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  return new Promise((resolve) => {
    // The process's agent may lead to a proxy.
    const request = get({ ...place, path, agent: false, signal }, (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('error', () => resolve(undefined))
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > most.bytes) request.destroy()
      })
      response.on('end', () => resolve(response.statusCode === 200 ? parsed(parts) : undefined))
    })
    request.on('error', () => resolve(undefined))
    request.on('close', () => resolve(undefined))
  })
}

function parsed(parts: readonly Buffer[]): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
