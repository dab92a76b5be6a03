import type { Node, NodeAPI } from 'node-red'
import { whenStarted } from '../shared/handle-input'
import { startInterval, startTimeout } from '../../lib/timers/timers'

/** Seconds that a virtual device in the same flow may need until it answers. */
const patience = 1

/**
 * Calls back from the start of the flows until the node closes: first within a second, then at this interval in
 * seconds.
 */
export function every(RED: NodeAPI, node: Node, seconds: () => number, tick: () => void): void {
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    try {
      const pause = seconds()
      if (pause === 0) return
      timer = startTimeout(
        () => {
          tick()
          timer = startInterval(tick, 1000 * pause)
        },
        1000 * Math.min(pause, patience),
      )
    } catch (error) {
      node.error(error, {})
    }
  }
  const takeBack = whenStarted(RED, begin)
  node.on('close', () => {
    takeBack()
    clearTimeout(timer)
  })
}
