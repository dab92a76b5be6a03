import { seededRandom } from '../../../virtual-device/values'
import { startRelay } from './relay'

/** None sends anything twice. */
export const faults = {
  delay: 'the answer comes late',
  /** The device answers; the answer never arrives. */
  stall: 'no answer comes',
  /** Before the device receives anything. */
  reset: 'the connection is reset',
  /** In the middle of the answer. */
  half: 'half of the answer comes',
  /** Single bytes with pauses. */
  slow: 'the answer drips in',
  /** Before a byte was passed on; perhaps the next connection too. */
  refuse: 'the connection is refused',
} as const
export type Fault = keyof typeof faults

export interface FaultyProxy {
  url: string
  /** For a share of the requests; undefined: none. */
  inject: (fault: Fault | undefined, share?: number) => void
  /** Affected requests. */
  affected: () => number
  stop: () => Promise<void>
}

/** Milliseconds. */
const delay = 40
/** Bytes that arrive singly, with pauses in ms. */
const slow = { bytes: 20, pause: 2 }

/** On a free loopback port. Affected requests are drawn from the seed, so that runs can be repeated. */
export async function startFaultyProxy(port: number, seed: number): Promise<FaultyProxy> {
  const random = seededRandom(seed)
  const timers = new Set<NodeJS.Timeout>()
  let now: { fault: Fault; share: number } | undefined
  let befallen = 0

  const drawn = (): Fault | undefined => {
    if (!now || random() >= now.share) return undefined
    befallen++
    return now.fault
  }
  const later = (work: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }

  const relay = await startRelay(`http://127.0.0.1:${port}`, (near, reach) => {
    // A refused connection carries no request.
    if (now?.fault === 'refuse' && drawn()) return void near.resetAndDestroy()
    const far = reach()
    let fault: Fault | undefined
    let answered = 0

    near.on('data', (bytes) => {
      // Requests follow one another: the first bytes after an answer start the next.
      if (answered !== 0 || fault === undefined) {
        answered = 0
        fault = drawn()
      }
      if (fault === 'reset') return void near.resetAndDestroy()
      if (fault === 'refuse') return void near.destroy()
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      answered += bytes.length
      pass(bytes)
    })
    near.on('close', () => far.destroy())
    far.on('close', () => {
      if (fault !== 'stall') near.end()
    })

    function pass(bytes: Buffer) {
      switch (fault) {
        case 'stall':
          return
        case 'half':
          near.write(bytes.subarray(0, bytes.length >> 1), () => near.resetAndDestroy())
          return
        case 'delay': {
          later(() => near.write(bytes), delay)
          return
        }
        case 'slow': {
          drip(bytes, 0)
          return
        }
        default:
          near.write(bytes)
      }
    }

    function drip(bytes: Buffer, sent: number) {
      if (sent === Math.min(slow.bytes, bytes.length)) return void near.write(bytes.subarray(sent))
      near.write(bytes.subarray(sent, sent + 1))
      later(() => drip(bytes, sent + 1), slow.pause)
    }
  })

  return {
    url: relay.url,
    inject: (fault, share = 1) => {
      now = fault && { fault, share }
    },
    affected: () => befallen,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      await relay.stop()
    },
  }
}
