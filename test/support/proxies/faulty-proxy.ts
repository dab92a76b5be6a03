import { seededRandom } from '../../../virtual-device/values'
import { startRelay } from './relay'

/** What can happen to a request or its answer between a node and its device; none of it sends anything twice. */
export const faults = {
  /** Everything arrives, late. */
  delay: 'the answer comes late',
  /** The device receives the request and answers; the answer never arrives. */
  stall: 'no answer comes',
  /** The connection is reset before the device receives anything. */
  reset: 'the connection is reset',
  /** The connection is reset in the middle of the answer. */
  half: 'half of the answer comes',
  /** The answer arrives in single bytes with pauses. */
  slow: 'the answer drips in',
  /** The connection is closed before a byte was passed to the device, and so may the next one be, immediately. */
  refuse: 'the connection is refused',
} as const
export type Fault = keyof typeof faults

export interface FaultyProxy {
  url: string
  /** Applies this fault to a share of the requests from now on; undefined lets everything pass. */
  befall: (fault: Fault | undefined, share?: number) => void
  /** Number of affected requests. */
  befallen: () => number
  stop: () => Promise<void>
}

/** Delay of an answer, ms. */
const delay = 40
/** Bytes of an answer that arrive one by one, and the pause after each, ms. */
const slow = { bytes: 20, pause: 2 }

/**
 * A proxy on a free loopback port in front of a device at `port`. The affected requests are drawn from the seed, one
 * draw each, so that a run can be repeated.
 */
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
    // A refused connection never carries a request.
    if (now?.fault === 'refuse' && drawn()) return void near.resetAndDestroy()
    const far = reach()
    let fault: Fault | undefined
    let answered = 0

    near.on('data', (bytes) => {
      // Requests on a connection follow one another: the first bytes after an answer begin the next one.
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
    befall: (fault, share = 1) => {
      now = fault && { fault, share }
    },
    befallen: () => befallen,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer)
      await relay.stop()
    },
  }
}
