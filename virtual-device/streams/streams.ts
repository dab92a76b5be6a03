import type { Time } from '../../lib/codec/streams'
import type { Stream } from '../../lib/contract'
import { startTimeout } from '../../lib/timers/timers'
import type { Module } from '../module'
import type { StateStay } from '../modules/dynamics'
import { navigationRuns } from '../modules/stereo-navigation'
import { motionAt as alongPath, type MotionAt } from '../motion'
import { type Clock, cut, Refusal } from '../values'
import { Channel, definitions } from './channel'

/** Milliseconds after which a stopped or changed clock, or the end of a boot, is noticed. */
const longestSleep = 50

interface StreamsOptions {
  /** Sets the pace of the streams and moves the device. */
  clock: Clock
  /** Seconds by which the device's time is ahead of the clock. @default () => 0 */
  ahead?: () => number
  /** The present estimation of the device's motion; undefined while it does not run. */
  navigation: () => Navigation | undefined
  /** How the device moves. @default along a closed path */
  motionAt?: MotionAt
  /** Whether the device sends at all; it does not while it boots. @default () => true */
  ready?: () => boolean
}

/** The data streams of a device and their destinations, which do not survive a reboot: `clear`. */
export interface Streams {
  list: () => Stream[]
  /** @throws Refusal 404 */
  get: (name: string) => Stream
  /**
   * Does not add an existing one again.
   * @param destinations `192.168.0.2:30000` or `[fe80::1]:30000`
   * @throws Refusal 400, 403 beyond ten, 404; none of them is then added
   */
  add: (name: string, destinations: readonly string[]) => void
  /** Removes all if none is named. @throws Refusal 400, 404; none of them is then removed */
  remove: (name: string, destinations?: readonly string[]) => void
  clear: () => void
  /**
   * Starts sending. Before, and after `stop`, destinations are kept but nothing is sent.
   * @param served address at which the device is reached; datagrams are sent from it
   */
  start: (served?: string) => void
  /** Closes all timers and sockets. */
  stop: () => void
}

/** Works only while there are destinations. */
export function streams({
  clock,
  ahead = () => 0,
  navigation,
  motionAt = alongPath,
  ready = () => true,
}: StreamsOptions): Streams {
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
        motionAt,
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

/** The estimation of the device's own motion, while it runs. */
export interface Navigation {
  /** When it began, seconds of the clock. */
  began: number
  /** Whether SLAM corrects it. */
  slam: boolean
}

/** @param dynamics the dynamics module; a device without it does not estimate its motion */
export function navigationOf(dynamics: Module | undefined): Navigation | undefined {
  const history = (dynamics as (Module & { history: () => StateStay[] }) | undefined)?.history() ?? []
  const now = history.at(-1)
  if (!now || !navigationRuns(now.state)) return undefined
  const rest = history.findLastIndex(({ state }) => !navigationRuns(state))
  return { began: (history[rest + 1] ?? now).from, slam: now.state === 'RUNNING_WITH_SLAM' }
}

const nanoseconds = 1e9

/**
 * The exact timestamp of a message, so that timestamps are evenly spaced.
 * @param index of the moment, in periods since 1970 @param rate periods per second @param ahead seconds to add
 */
export function timestampAt(index: number, rate: number, ahead: number): Required<Time> {
  const seconds = Math.floor(index / rate)
  const more = Math.floor(ahead)
  const nsec = Math.round(((index - seconds * rate) / rate + ahead - more) * nanoseconds)
  return nsec < nanoseconds
    ? { sec: seconds + more, nsec }
    : { sec: seconds + more + 1, nsec: nsec - nanoseconds }
}
