import type { NodeAPI } from 'node-red'

const waiting = new Set<() => void>()

/**
 * Calls back once when the flows have started, because only then do all receiving nodes exist. One listener for all
 * nodes: Node.js warns of a leak from eleven on.
 * @returns cancels the call
 */
export function whenStarted({ events }: NodeAPI, begin: () => void): () => void {
  if (waiting.size === 0) events.once('flows:started', tellAll)
  waiting.add(begin)
  return () => {
    waiting.delete(begin)
    if (waiting.size === 0) events.removeListener('flows:started', tellAll)
  }
}

function tellAll(): void {
  const begins = [...waiting]
  waiting.clear()
  for (const begin of begins) begin()
}
