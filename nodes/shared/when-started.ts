import type { NodeAPI } from 'node-red'

const waiting = new Set<() => void>()

/**
 * Calls back once, when the flows have started: only then are all nodes there that a node sends to. One listener for
 * all nodes: Node.js warns of a leak from eleven on.
 * @returns takes it back
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
