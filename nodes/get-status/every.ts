import type { Node, NodeAPI } from 'node-red'
import { whenStarted } from '../shared/when-started'

/** Calls back from the start of the flows until the node closes: at once, and then every so many seconds. */
export function every(RED: NodeAPI, node: Node, seconds: () => number, tick: () => void): void {
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    try {
      const pause = seconds()
      if (pause === 0) return
      tick()
      timer = setInterval(tick, 1000 * pause)
    } catch (error) {
      node.error(error, {})
    }
  }
  const takeBack = whenStarted(RED, begin)
  node.on('close', () => {
    takeBack()
    clearInterval(timer)
  })
}
