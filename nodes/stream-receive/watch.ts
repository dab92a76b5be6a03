import type { Connection } from '../device/connection'
import type { StatusWord } from '../shared/status'
import type { Listener } from './listen'
import { patience, wordFor } from './word-for'
import { startInterval } from '../../lib/timers/timers'
import { innerState } from '../../lib/contract/reading/values'

/** Milliseconds between two checks. */
const interval = 1000
/**
 * Checks between two queries of the device while nothing arrives; also the number of checks for which losses are shown.
 */
const rarely = 5

interface Watching {
  device: Connection
  listener: Listener
  /** Whether the stream's content is estimated by the device's dynamics module. */
  estimated: boolean
  signal: AbortSignal
  /** Why the destination is not on the device, if the node keeps it there. */
  unlisted: () => StatusWord | undefined
  show: (word: StatusWord, count: number) => void
  showLink: () => void
  /** Called every few seconds while nothing arrives. */
  silent: () => void
}

interface Watch {
  /** Checks now. */
  look: () => void
  close: () => void
}

/** Shows how a stream arrives, or a possible reason why it does not. */
export function watch(watching: Watching): Watch {
  const { device, listener, estimated, signal, unlisted, show, showLink, silent } = watching
  const began = performance.now()
  let stopped = false
  let lost = 0
  /** Number of further checks for which missing messages are shown. */
  let losing = 0
  let looks = 0

  const look = () => {
    if (signal.aborted) return
    if (device.link.state !== 'ready') {
      showLink()
      return
    }
    const listening = performance.now() - began
    const statistics = listener.statistics()
    const seen = { statistics, listening, losing: losing > 0, dynamicsStopped: stopped }
    const why = unlisted()
    show(...wordFor({ ...seen, ...(why && { unlisted: why }) }))
  }
  const lookAgain = () => {
    const { lost: now } = listener.statistics()
    losing = now > lost ? rarely : Math.max(0, losing - 1)
    lost = now
    const isSilent = Math.min(listener.silence(), performance.now() - began) >= patience
    if (!isSilent) [stopped, looks] = [false, 0]
    else if (looks++ % rarely === 0) {
      silent()
      if (estimated) void ask()
    }
    look()
  }
  const ask = async () => {
    stopped = await dynamicsStopped(device, signal)
    look()
  }

  const timer = startInterval(lookAgain, interval)
  look()
  return { look, close: () => clearInterval(timer) }
}

/**
 * Whether the module that estimates the device's motion is not running: poses and dynamics are sent only while it runs.
 */
async function dynamicsStopped(device: Connection, signal: AbortSignal): Promise<boolean> {
  try {
    const { status, values } = await device.onNode(
      { pipeline: '0', node: 'dev_dynamics', signal },
      ({ node }) => device.client.getNodeStatus({ pipeline: '0', node }, { signal }),
    )
    return innerState(values) === 'IDLE' || status === 'idle'
  } catch {
    // This is only a hint: if the device cannot answer, the stream has not failed.
    return false
  }
}
