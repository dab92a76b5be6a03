/**
 * Opens a TCP connection to a host name or address, within one deadline for all addresses of the name.
 *
 * In: host, port, deadline, signal. Out: a connected socket; an error with the network's code (`ECONNREFUSED`,
 * `ENOTFOUND`, `ETIMEDOUT` …); the reason of the abort.
 * Node.js drops the attempt at each address after 250 ms, so a name with several addresses never connects over a slow
 * link. Here the attempt continues while the next address is tried beside it; the first to connect is used.
 */
import { lookup as lookupName } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { patientTimeout, startTimeout } from './timers'
import { reasonOf } from './scope'

export interface DialAddress {
  host: string
  port: number
  family: number
}

export interface DialOptions {
  host: string
  port: number
  /** Milliseconds for all addresses together, including name resolution; 0: the system's own limit. */
  timeout: number
  signal?: AbortSignal | undefined
  /** Milliseconds before the next address is tried as well. @default 250 */
  stagger?: number
  /** Starts the connection to one address. @default `connect` of node:net */
  open?: (address: DialAddress) => Socket
  lookup?: LookupFunction
}

/** @throws ErrnoException of the first address that failed; `ETIMEDOUT` after the deadline; the reason of the abort */
export function dial({
  host,
  port,
  timeout,
  signal,
  stagger = 250,
  open = (address) => connect(address),
  lookup = lookupName,
}: DialOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const trying = new Set<Socket>()
    let left: DialAddress[] = []
    let firstFailure: Error | undefined
    let isOver = false
    let next: NodeJS.Timeout | undefined

    const end = () => {
      isOver = true
      clearTimeout(next)
      stopWaiting()
      signal?.removeEventListener('abort', aborted)
      for (const socket of trying) discard(socket)
    }
    const fail = (error: Error) => {
      if (isOver) return
      end()
      reject(error)
    }
    const aborted = () => fail(reasonOf(signal as AbortSignal))

    const tryNext = () => {
      clearTimeout(next)
      const address = left.shift()
      if (!address || isOver) return
      let socket: Socket
      try {
        socket = open(address)
      } catch (error) {
        // A client certificate that cannot be read fails for every address.
        fail(error as Error)
        return
      }
      trying.add(socket)
      const failed = (error: Error) => {
        trying.delete(socket)
        discard(socket)
        if (isOver) return
        firstFailure ??= error
        if (left.length > 0) tryNext()
        else if (trying.size === 0) fail(firstFailure)
      }
      socket.once('error', failed)
      socket.once('connect', () => {
        socket.off('error', failed)
        trying.delete(socket)
        if (isOver) {
          discard(socket)
          return
        }
        end()
        resolve(socket)
      })
      if (left.length > 0) next = startTimeout(tryNext, stagger)
    }

    const stopWaiting =
      timeout > 0
        ? patientTimeout(() => fail(firstFailure ?? timedOut(host, port)), timeout)
        : () => undefined
    if (signal?.aborted) {
      aborted()
      return
    }
    signal?.addEventListener('abort', aborted, { once: true })
    const family = isIP(host)
    if (family) {
      left = [{ host, port, family }]
      tryNext()
      return
    }
    lookup(host, { all: true }, (error, found) => {
      if (isOver) return
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      if (error || addresses.length === 0) {
        fail(error ?? Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }))
        return
      }
      left = alternating(addresses).map(({ address, family: of }) => ({ host: address, port, family: of }))
      tryNext()
    })
  })
}

export interface HttpTarget {
  hostname: string
  protocol: string
  port: string
}

/** Dials for undici; TLS gets the same time again. @param connect undici's own connector @throws as `dial` */
export async function dialTarget<Target extends HttpTarget>(
  connect: (target: Target, done: () => void) => Socket,
  target: Target,
  { timeout, signal }: Pick<DialOptions, 'timeout' | 'signal'>,
): Promise<Socket> {
  const { hostname: host, protocol } = target
  const isTls = protocol === 'https:'
  const port = Number(target.port) || (isTls ? 443 : 80)
  const open = (address: DialAddress) => connect({ ...target, hostname: address.host }, () => undefined)
  const socket = await dial({ host, port, timeout, signal, open })
  if (isTls)
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        stopWaiting()
        signal?.removeEventListener('abort', aborted)
      }
      const fail = (error: Error) => {
        end()
        discard(socket)
        reject(error)
      }
      const aborted = () => fail(reasonOf(signal as AbortSignal))
      const stopWaiting =
        timeout > 0 ? patientTimeout(() => fail(timedOut(host, port)), timeout) : () => undefined
      signal?.addEventListener('abort', aborted, { once: true })
      socket.once('error', fail)
      socket.once('secureConnect', () => {
        socket.off('error', fail)
        end()
        resolve()
      })
    })
  return socket
}

/** Connector of an undici agent. @param connect undici's own connector */
export const dialling =
  <Target extends HttpTarget>(
    connect: (target: Target, done: () => void) => Socket,
    options: Pick<DialOptions, 'timeout' | 'signal'>,
  ) =>
  (
    target: Target,
    done: (...outcome: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
  ) => {
    dialTarget(connect, target, options).then(
      (socket) => done(null, socket),
      (error: unknown) => done(error as Error, null),
    )
  }

/** The address families in turn, starting with the first: one of them may not be connected at all. */
function alternating<Address extends { family: number }>(addresses: readonly Address[]): Address[] {
  const [first] = addresses
  const same = addresses.filter(({ family }) => family === first?.family)
  const others = addresses.filter(({ family }) => family !== first?.family)
  return same
    .flatMap((address, index) => [address, ...others.slice(index, index + 1)])
    .concat(others.slice(same.length))
}

/** An unused socket may still fail. */
function discard(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.destroy()
}

const timedOut = (host: string, port: number) =>
  Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: 'ETIMEDOUT', syscall: 'connect' })
