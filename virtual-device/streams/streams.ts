import type { Stream } from '../../lib/contract'
import type { Clock } from '../clock'
import { Refusal } from '../refusal'
import { cut } from '../shown'
import { Channel } from './channel'
import { definitions } from './definitions'
import type { Navigation } from './navigation'
import { timestampAt } from './timestamp-at'
import { startTimeout } from '../../lib/timers/timers'

/** Milliseconds; a clock that stands still or is moved, and the end of a boot, are noticed after so long. */
const longestSleep = 50

interface StreamsOptions {
  /** Paces the streams and moves the device. */
  clock: Clock
  /** Seconds that the device's time is ahead of the clock. @default () => 0 */
  ahead?: () => number
  /** The device's estimation of its motion, as it is now; undefined while it does not run. */
  navigation: () => Navigation | undefined
  /** Whether the device sends at all; not while it boots. @default () => true */
  ready?: () => boolean
}

/** The data streams of a device and where they go. Nothing of it survives a reboot: `clear`. */
export interface Streams {
  list: () => Stream[]
  /** @throws Refusal 404 */
  get: (name: string) => Stream
  /**
   * One that is there already is not added again.
   * @param destinations `192.168.0.2:30000` or `[fe80::1]:30000`
   * @throws Refusal 400, 403 beyond ten, 404; then none of them is added
   */
  add: (name: string, destinations: readonly string[]) => void
  /** All, where none is named. @throws Refusal 400, 404; then none of them is removed */
  remove: (name: string, destinations?: readonly string[]) => void
  clear: () => void
  /**
   * Begins to send. Before, and after `stop`, destinations are kept and nothing is sent.
   * @param served address that the device is served at, from which datagrams come then
   */
  start: (served?: string) => void
  /** Leaves no timer and no socket. */
  stop: () => void
}

/** Work is done only while there are destinations. */
export function streams({ clock, ahead = () => 0, navigation, ready = () => true }: StreamsOptions): Streams {
  let servedAt: string | undefined
  const channels = new Map(
    definitions.map((definition) => [definition.name, new Channel(definition, () => servedAt)]),
  )
  let started = false
  let timer: NodeJS.Timeout | undefined

  const channel = (name: string): Channel => {
    const found = channels.get(name)
    if (found) return found
    throw new Refusal(404, `there is no stream ${cut(name, 60)}`)
  }
  const send = () => {
    timer = undefined
    const busy = [...channels.values()].filter(({ idle }) => !idle)
    if (!started || busy.length === 0) return
    timer = startTimeout(send, ready() ? sendDue(busy) : longestSleep)
  }
  /** @returns milliseconds until more is due */
  const sendDue = (busy: readonly Channel[]): number => {
    const now = clock.now()
    const [estimation, offset] = [navigation(), ahead()]
    const waits = busy.map((each) =>
      each.send(now, (index, rate) => ({
        seconds: index / rate,
        timestamp: timestampAt(index, rate, offset),
        navigation: estimation,
      })),
    )
    const sleep = Math.min(longestSleep, Math.ceil(1000 * Math.min(...waits)))
    return Math.max(1, sleep)
  }

  return {
    list: () => [...channels.values()].map((each) => each.record()),
    get: (name) => channel(name).record(),
    add: (name, destinations) => {
      channel(name).add(destinations)
      if (!timer) send()
    },
    remove: (name, destinations) => {
      if (destinations) channel(name).remove(destinations)
      else channel(name).clear()
    },
    clear: () => {
      for (const each of channels.values()) each.clear()
    },
    start: (served) => {
      started = true
      servedAt = served
      if (!timer) send()
    },
    stop: () => {
      started = false
      clearTimeout(timer)
      timer = undefined
      for (const each of channels.values()) each.rest()
    },
  }
}
