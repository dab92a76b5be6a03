import type { Client } from '../client/client'
import { restAfter } from '../client/retry-after'
import type { VisionError } from '../client/vision-error'
import { claim } from './claims'
import { startTimeout } from '../timers/timers'

/** What is kept where. */
export interface KeepOptions {
  client: Pick<Client, 'address' | 'getStream' | 'addDestination' | 'removeDestination'>
  /** Name of the stream. */
  stream: string
  /** `<ip>:<port>` */
  destination: string
  /**
   * Milliseconds since data came to the destination, infinite before it ever did: while it flows, the device is not asked.
   * @default the device is asked every `interval`
   */
  silence?: () => number
  /** Milliseconds without data after which the device is asked; then more and more rarely. @default 500 */
  longestSilence?: number
  /** Longest time between two questions while there is no data, milliseconds. @default 5000 */
  interval?: number
}

/** What a keeper calls. */
export interface KeepHandlers {
  /** The destination is listed, or it cannot be at present: then why. Called for changes only. Must not throw. */
  onChange: (state: KeepState) => void
}

/** Whether the destination is on the device; where not, why. */
export type KeepState = { listed: true } | { listed: false; error: VisionError }

/** Keeps a destination until it is closed. */
export interface DestinationKeeper {
  /** Asks the device now, because it may have restarted for instance. */
  look: () => void
  /**
   * Removes the destination from the device, unless another keeper of this process keeps it too. Never rejects.
   * @returns why it could not be removed: the device may go on sending then
   */
  close: () => Promise<VisionError | undefined>
}

/** Milliseconds for one call. Closing takes two at most: one that is under way and the removal. */
const deadline = 3000
/** After these the device may have taken the destination all the same. */
const unclear = ['OUTCOME_UNKNOWN', 'TIMEOUT', 'ABORTED', 'BAD_REPLY', 'DEVICE_FAULT']

/**
 * Keeps a destination listed for a stream of a device: adds it, and puts it back after a reboot or when somebody removed
 * it. Other destinations are left alone.
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
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = startTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (closed()) wake()
    })

  const list = async () => {
    const { destinations } = await client.getStream({ stream }, { deadline, signal })
    if (destinations.includes(destination)) {
      seen.mayBeThere = true
      return
    }
    if (closed()) return
    try {
      // Not ended by closing: the removal must not overtake it.
      await client.addDestination({ stream, destination }, { deadline })
      seen.mayBeThere = true
    } catch (error) {
      seen.mayBeThere ||= unclear.includes((error as VisionError).code)
      throw error
    }
  }
  const keep = async () => {
    await free
    let pause = longestSilence
    while (!closed()) {
      let rest = 0
      try {
        await list()
        tell({ listed: true })
        if (!silence) pause = interval
      } catch (error) {
        tell({ listed: false, error: error as VisionError })
        rest = restAfter(error)
      }
      await wait(Math.max(pause, rest))
      pause = Math.min(2 * pause, interval)
      while (silence && silence() < longestSilence && !closed()) {
        pause = longestSilence
        tell({ listed: true })
        await wait(Math.max(1, longestSilence - silence()))
      }
    }
  }
  const remove = async () => {
    if (!seen.mayBeThere) return undefined
    try {
      await client.removeDestination({ stream, destination }, { deadline })
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
