import { existsSync, openSync, readSync } from 'node:fs'
import {
  monitorEventLoopDelay,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks'

export type GcEntry = PerformanceEntry & { detail: NodeGCPerformanceDetail }

export interface LoopWatch {
  /** Longest pause, ms. */
  blocked: number
  /** Exceeded by one in 100 samples, ms. */
  mostly: number
  /** Longest pause without waiting for a core or a garbage collection, ms. */
  held: number
  collections: readonly GcEntry[]
}

/** By `performance.now`; duration without waiting for a core. */
interface Hold {
  from: number
  to: number
  milliseconds: number
}

/** Samples every millisecond. @returns ends it */
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

/** Milliseconds of garbage collection within the pause. */
function collectedIn({ from, to }: Hold, collections: readonly GcEntry[]): number {
  const within = collections.map(
    ({ startTime, duration }) => Math.min(to, startTime + duration) - Math.max(from, startTime),
  )
  return within.reduce((sum, each) => sum + Math.max(0, each), 0)
}

/** Milliseconds for which the main thread was ready without a core; 0 if unknown. */
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
