import type { Socket } from 'node:net'
import { startRelay } from './relay'

export type Direction = 'toServer' | 'toClient'

/** Delayed each way; can go silent in one direction. */
interface SlowLine {
  url: string
  port: number
  /** Milliseconds one way, from now on. */
  delay: number
  /** Drops data in this direction; connections stay. */
  silence: (direction: Direction) => void
  restore: () => void
  reset: () => void
  stop: () => Promise<void>
}

/** @param port on loopback */
export async function startSlowLine(port: number, delay = 0): Promise<SlowLine> {
  const timers = new Set<NodeJS.Timeout>()
  const silent = new Set<Direction>()
  const later = (work: () => void) => {
    if (line.delay === 0) {
      work()
      return
    }
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, line.delay)
    timers.add(timer)
  }
  const relay = await startRelay(`http://127.0.0.1:${port}`, (near, reach) => {
    const early: Buffer[] = []
    let far: Socket | undefined
    near.setNoDelay(true)
    near.on('data', (bytes: Buffer) => {
      if (silent.has('toServer')) return
      if (!far) early.push(bytes)
      else later(() => far?.write(bytes))
    })
    // The server notices a connection one delay later, and its end too.
    near.on('close', () => later(() => far?.destroy()))
    later(() => {
      far = reach()
      far.setNoDelay(true)
      for (const bytes of early) far.write(bytes)
      far.on('data', (bytes: Buffer) => {
        if (!silent.has('toClient')) later(() => near.write(bytes))
      })
      far.on('close', () => later(() => near.destroy()))
      if (near.destroyed) far.destroy()
    })
  })
  const line: SlowLine = {
    url: relay.url,
    port: Number(new URL(relay.url).port),
    delay,
    silence: (direction) => void silent.add(direction),
    restore: () => silent.clear(),
    reset: relay.reset,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      await relay.stop()
    },
  }
  return line
}
