import type { Node, NodeAPI } from 'node-red'

/** Calls back from the start of the flows until the node closes: at once, and then every so many seconds. */
export function every(RED: NodeAPI, node: Node, seconds: () => number, tick: () => void): void {
  let timer: NodeJS.Timeout | undefined
  // Only then are all nodes there that it sends to.
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
  RED.events.once('flows:started', begin)
  node.on('close', () => {
    RED.events.removeListener('flows:started', begin)
    clearInterval(timer)
  })
}
