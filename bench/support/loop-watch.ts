import { existsSync, openSync, readSync } from 'node:fs'
import {
  monitorEventLoopDelay,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks'

export type GcEntry = PerformanceEntry & { detail: NodeGCPerformanceDetail }

/** What held the event loop of this process. */
export interface LoopWatch {
  /** Longest time for which it stood still, ms. */
  blocked: number
  /** That which 99 of 100 looks stay below, ms. */
  mostly: number
  /** Longest time without waiting for a core, and for a garbage collection, ms. */
  held: number
  collections: readonly GcEntry[]
}

/** When the event loop was held, by `performance.now`, and how long without the time for which it waited for a core. */
interface Hold {
  from: number
  to: number
  milliseconds: number
}

/** Looks once a millisecond whether the event loop is held. @returns ends it */
export function watchLoop(): () => LoopWatch {
  const collections: GcEntry[] = []
  const observer = new PerformanceObserver((list) => collections.push(...(list.getEntries() as GcEntry[])))
  observer.observe({ entryTypes: ['gc'] })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const holds = watchHolds()
  return () => {
    delay.disable()
    collections.push(...(observer.takeRecords() as GcEntry[]))
    observer.disconnect()
    const held = Math.max(0, ...holds().map((hold) => hold.milliseconds - collectedIn(hold, collections)))
    return { blocked: delay.max / 1e6 - 1, mostly: delay.percentile(99) / 1e6 - 1, held, collections }
  }
}

function watchHolds(): () => Hold[] {
  const holds: Hold[] = []
  const waited = coreWatch()
  let last = { at: performance.now(), waited: waited() }
  const timer = setInterval(() => {
    const now = { at: performance.now(), waited: waited() }
    const milliseconds = now.at - last.at - 1 - (now.waited - last.waited)
    holds.push({ from: last.at, to: now.at, milliseconds })
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return holds
  }
}

/** Milliseconds of garbage collections meanwhile. */
function collectedIn({ from, to }: Hold, collections: readonly GcEntry[]): number {
  const within = collections.map(
    ({ startTime, duration }) => Math.min(to, startTime + duration) - Math.max(from, startTime),
  )
  return within.reduce((sum, each) => sum + Math.max(0, each), 0)
}

/** Tells how many milliseconds the main thread could run and no core was free; 0 where the system does not tell. */
function coreWatch(): () => number {
  const file = `/proc/self/task/${process.pid}/schedstat`
  if (!existsSync(file)) return () => 0
  const opened = openSync(file, 'r')
  const text = Buffer.alloc(80)
  return () => {
    const length = readSync(opened, text, 0, text.length, 0)
    return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6
  }
}
