/** Destinations of a data stream: parses one, and keeps one listed on the device. */
import { settled } from '../kernel/scope'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIPv4, isIPv6 } from 'node:net'
import { errorsOf, type VisionError } from '../client/vision-error'
import type { StreamMessageType } from '../codec/streams'
import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'
import type { ReceiverOptions } from './receiver'
import type { Client } from '../client/create-client'
import { restAfter } from '../client/error-answer'
import { RetrySchedule } from '../kernel/connection'
import { startTimeout } from '../kernel/timers'

/**
 * Parses a destination as typed: `192.168.0.7:30000`, `[fe80::1]:30000`, or just `30000` for a port of this machine,
 * whose address towards the device is then determined. @param device name or IP address @returns `<ip>:<port>`
 * @throws VisionError `INVALID_INPUT` if it is not a destination, `UNREACHABLE` if no network leads to the device
 */
export async function readDestination(text: string, device: string): Promise<string> {
  const [, four = '', six = '', port = ''] = /^(?:([\d.]+):|\[([^\]]+)\]:)?(\d{1,5})$/.exec(text.trim()) ?? []
  const named = four !== '' || six !== ''
  if (!isPort(Number(port)) || (named && !isIPv4(four) && !isIPv6(six)))
    throw streamError({ code: 'INVALID_INPUT', key: 'stream-destination', values: { given: text } })
  return named ? text.trim() : `${inDestination((await routeTo(device)).local)}:${port}`
}

const isPort = (port: number) => port >= 1 && port <= 65_535

/** A local address in the form sent to the device: IPv6 in brackets, without the zone, which is local. */
const inDestination = (address: string): string => (isIPv6(address) ? `[${hostOf(address)}]` : address)

interface ListeningPlace {
  address: string
  /** Local address that the device sends to, IPv6 in brackets. */
  reachedAt: string
  /** Hosts whose datagrams are accepted; undefined accepts all. */
  hosts: ReadonlySet<string> | undefined
}

const notOne = ['', '0.0.0.0', '::']

/** @throws VisionError `UNREACHABLE` */
export async function listeningPlace({
  device,
  address = '',
  allow = [],
}: Pick<ReceiverOptions<StreamMessageType>, 'device' | 'address' | 'allow'>): Promise<ListeningPlace> {
  const fixed = !notOne.includes(address)
  const route = fixed
    ? { local: address, device: allow === 'all' ? [] : await addressesOf(device) }
    : await routeTo(device)
  const others = allow === 'all' ? [] : (await Promise.all(allow.map(addressesOf))).flat()
  return {
    address: address === '' ? route.local : address,
    reachedAt: inDestination(route.local),
    hosts: allow === 'all' ? undefined : new Set([...route.device, ...others].map(hostOf)),
  }
}

/** How this machine reaches a device. */
export interface Route {
  /** The local address at which the device's datagrams arrive. */
  local: string
  /** All addresses of the device to which its name resolves. */
  device: readonly string[]
}

/** The discard port. Nothing is sent there: connecting a UDP socket only makes the system choose a route. */
const anyPort = 9

/**
 * Finds the local address towards a device, which matters on a machine with several networks. @param host name or IP
 * address, with or without brackets @throws VisionError `UNREACHABLE` if the name is unknown or no network leads there
 */
export async function routeTo(host: string): Promise<Route> {
  const device = await addressesOf(host)
  let reason: unknown
  for (const address of device) {
    try {
      return { local: await localAddressTowards(address), device }
    } catch (error) {
      reason ??= error
    }
  }
  throw unreachable('stream-no-route', host, reason)
}

/** @throws VisionError `UNREACHABLE` */
async function addressesOf(host: string): Promise<string[]> {
  try {
    const found = await lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true })
    // Every device supports IPv4.
    return found.sort((one, other) => one.family - other.family).map(({ address }) => address)
  } catch (error) {
    throw unreachable('stream-host', host, error)
  }
}

async function localAddressTowards(address: string): Promise<string> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  try {
    const connected = once(socket, 'connect')
    socket.connect(anyPort, address)
    await connected
    return socket.address().address
  } finally {
    socket.close()
  }
}

function unreachable(key: 'stream-host' | 'stream-no-route', host: string, error: unknown): VisionError {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code ?? message
  return streamError({ code: 'UNREACHABLE', key, values: { host, reason }, cause: { reason } })
}

export const streamError = errorsOf(sentencesIn<typeof en>(__dirname))

/** Dual-stack sockets report IPv4 as IPv6; a zone depends on the interface, not on the host. */
export const hostOf = (address: string): string =>
  address
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/%.*/, '')
    .toLowerCase()

/** Which destination to keep, and on which device. */
export interface KeepOptions {
  client: Pick<Client, 'address' | 'getStream' | 'addDestination' | 'removeDestination'>
  stream: string
  /** `<ip>:<port>` */
  destination: string
  /**
   * Milliseconds since data last arrived at the destination, infinite before the first: while data flows, the device is
   * not queried. @default the device is queried every `interval`
   */
  silence?: () => number
  /** Milliseconds without data before the device is queried, at first and then at growing intervals. @default 500 */
  longestSilence?: number
  /** Longest interval between two queries while there is no data, milliseconds. @default 5000 */
  interval?: number
}

/** Callbacks of a keeper. */
export interface KeepHandlers {
  /** Called on changes only: the destination is listed, or cannot be listed now, with the reason. Must not throw. */
  onChange: (state: KeepState) => void
}

/** Whether the destination is on the device; if not, why. */
export type KeepState = { listed: true } | { listed: false; error: VisionError }

/** Keeps a destination until it is closed. */
export interface DestinationKeeper {
  /** Queries the device now, for instance because it may have restarted. */
  look: () => void
  /**
   * Removes the destination from the device, unless another keeper in this process needs it too. Never rejects.
   * @returns why it could not be removed: the device may then continue to send
   */
  close: () => Promise<VisionError | undefined>
}

/** Closing takes at most two calls, so each is short, and none waits for an absent device. */
const briefly = { deadline: 3000, waitForDevice: false }

/** After these errors the device may still have accepted the destination. */
const unclear = ['OUTCOME_UNKNOWN', 'TIMEOUT', 'ABORTED', 'BAD_REPLY', 'DEVICE_FAULT']

/** Keeps a destination listed, also after a reboot or a removal by another client. Leaves other destinations alone. */
export function keepDestination(
  { client, stream, destination, silence, longestSilence = 500, interval = 5000 }: KeepOptions,
  { onChange }: KeepHandlers,
): DestinationKeeper {
  const { seen, free, release } = claim(`${client.address} ${stream} ${destination}`)
  const closing = new AbortController()
  const { signal } = closing
  const closed = () => signal.aborted
  let reported: string | undefined
  let wake: () => void = () => undefined

  const report = (state: KeepState) => {
    const now = state.listed ? 'listed' : state.error.code
    if (now === reported || closed()) return
    reported = now
    onChange(state)
  }
  /** @param rest milliseconds that the device asked to wait, not shortened by a wake-up */
  const wait = (milliseconds: number, rest = 0) =>
    new Promise<void>((resolve) => {
      const until = performance.now() + rest
      const timer = startTimeout(resolve, Math.max(milliseconds, rest))
      wake = () => {
        if (!closed() && performance.now() < until) return
        clearTimeout(timer)
        resolve()
      }
      if (closed()) wake()
    })

  const list = async () => {
    const { destinations } = await client.getStream({ stream }, { ...briefly, signal })
    if (destinations.includes(destination)) {
      seen.mayBeThere = true
      return
    }
    if (closed()) return
    try {
      // Not aborted on close: the removal must not overtake it.
      await client.addDestination({ stream, destination }, briefly)
      seen.mayBeThere = true
    } catch (error) {
      seen.mayBeThere ||= unclear.includes((error as VisionError).code)
      throw error
    }
  }
  const keep = async () => {
    await free
    const shortest = Math.min(longestSilence, interval)
    const schedule = new RetrySchedule({ first: 2 * shortest, longest: interval, shortest })
    while (!closed()) {
      let rest = 0
      let isListed = false
      try {
        await list()
        report({ listed: true })
        isListed = true
      } catch (error) {
        report({ listed: false, error: error as VisionError })
        rest = restAfter(error)
      }
      await wait(isListed && !silence ? interval : schedule.next(), rest)
      while (silence && silence() < longestSilence && !closed()) {
        schedule.reset()
        report({ listed: true })
        await wait(Math.max(1, longestSilence - silence()))
      }
    }
  }
  const remove = async () => {
    if (!seen.mayBeThere) return undefined
    try {
      await client.removeDestination({ stream, destination }, briefly)
      seen.mayBeThere = false
      return undefined
    } catch (error) {
      return error as VisionError
    }
  }

  const keeping = keep()
  let ended: Promise<VisionError | undefined> | undefined
  return {
    look: () => wake(),
    close: () => {
      closing.abort()
      wake()
      return (ended ??= keeping.then(() => release(remove)))
    },
  }
}

interface Holding {
  holders: number
  /** Shared by all holders, so that the last one knows it too. */
  seen: Sighting
  /** Resolves when the last holder has finished its release. */
  givenUp: Promise<unknown>
}

const holdings = new Map<string, Holding>()

interface Sighting {
  /** Whether it exists, or may exist. */
  mayBeThere: boolean
}

interface Claim {
  seen: Sighting
  /** Resolves when no release of the same resource is in progress. */
  free: Promise<unknown>
  /** Releases the claim; calls `giveUp` if it was the last one. */
  release: <Outcome>(giveUp: () => Promise<Outcome>) => Promise<Outcome | undefined>
}

/** Claims a resource that several holders in this process may share, and that the last one releases. */
function claim(key: string): Claim {
  const holding = holdings.get(key) ?? {
    holders: 0,
    seen: { mayBeThere: false },
    givenUp: Promise.resolve(),
  }
  holdings.set(key, holding)
  holding.holders++
  return {
    seen: holding.seen,
    free: holding.givenUp,
    release: async (giveUp) => {
      if (--holding.holders > 0) return undefined
      const givingUp = giveUp()
      holding.givenUp = settled(givingUp)
      try {
        return await givingUp
      } finally {
        if (holding.holders === 0) holdings.delete(key)
      }
    },
  }
}
