import type { Client } from '../client/create-client'
import { restAfter } from '../client/error-answer'
import type { VisionError } from '../client/vision-error'
import { RetrySchedule } from '../kernel/connection'
import { startTimeout } from '../kernel/timers'

/** Which destination to keep, and on which device. */
export interface KeepOptions {
  client: Pick<Client, 'address' | 'getStream' | 'addDestination' | 'removeDestination'>
  /** Name of the stream. */
  stream: string
  /** `<ip>:<port>` */
  destination: string
  /**
   * Milliseconds since data last arrived at the destination, infinite before the first: while data flows, the device is
   * not queried.
   * @default the device is queried every `interval`
   */
  silence?: () => number
  /**
   * Milliseconds without data after which the device is queried, at first and then at growing intervals. @default 500
   */
  longestSilence?: number
  /** Longest interval between two queries while there is no data, milliseconds. @default 5000 */
  interval?: number
}

/** The callbacks of a keeper. */
export interface KeepHandlers {
  /**
   * The destination is listed, or cannot be listed at present, with the reason. Called on changes only. Must not throw.
   */
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

/**
 * Closing takes at most two calls, one in progress and the removal, so each is short, 3 s, and none waits for a device
 * that is not there.
 */
const briefly = { deadline: 3000, waitForDevice: false }
/** After these errors the device may still have accepted the destination. */
const unclear = ['OUTCOME_UNKNOWN', 'TIMEOUT', 'ABORTED', 'BAD_REPLY', 'DEVICE_FAULT']

/**
 * Keeps a destination listed for a stream of a device: adds it, and adds it again after a reboot or after somebody has
 * removed it. Leaves other destinations alone.
 */
export function keepDestination(
  { client, stream, destination, silence, longestSilence = 500, interval = 5000 }: KeepOptions,
  { onChange }: KeepHandlers,
): DestinationKeeper {
  const { seen, free, release } = claim(`${client.address} ${stream} ${destination}`)
  const closing = new AbortController()
  const { signal } = closing
  const closed = () => signal.aborted
  let told: string | undefined
  /** Ends a pause. */
  let wake: () => void = () => undefined

  const tell = (state: KeepState) => {
    const now = state.listed ? 'listed' : state.error.code
    if (now === told || closed()) return
    told = now
    onChange(state)
  }
  /** @param rest milliseconds that the device asked to wait, whatever happens meanwhile */
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
        tell({ listed: true })
        isListed = true
      } catch (error) {
        tell({ listed: false, error: error as VisionError })
        rest = restAfter(error)
      }
      await wait(isListed && !silence ? interval : schedule.next(), rest)
      while (silence && silence() < longestSilence && !closed()) {
        schedule.reset()
        tell({ listed: true })
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

  const kept = keep()
  let ended: Promise<VisionError | undefined> | undefined
  return {
    look: () => wake(),
    close: () => {
      closing.abort()
      wake()
      return (ended ??= kept.then(() => release(remove)))
    },
  }
}

interface Holding {
  holders: number
  /** What all holders have observed together, so that the last one knows it too. */
  seen: Sighting
  /** Resolves when the last holder has finished its release. */
  givenUp: Promise<unknown>
}

const holdings = new Map<string, Holding>()

/** What is known of a held resource. */
interface Sighting {
  /** Whether it exists, or may exist. */
  mayBeThere: boolean
}

interface Claim {
  /** Shared by all holders of the same resource. */
  seen: Sighting
  /** Resolves when no release of the same resource is in progress. */
  free: Promise<unknown>
  /** Releases the claim; calls `giveUp` if nobody else holds the same. */
  release: <Outcome>(giveUp: () => Promise<Outcome>) => Promise<Outcome | undefined>
}

/** Claims a resource that several in this process may hold at a time, and that the last one gives up. */
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
      holding.givenUp = givingUp.catch(() => undefined)
      try {
        return await givingUp
      } finally {
        if (holding.holders === 0) holdings.delete(key)
      }
    },
  }
}
