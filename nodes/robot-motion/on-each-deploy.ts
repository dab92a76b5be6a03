import type { NodeAPI } from 'node-red'

const listening = new Set<() => void>()
const tellAll = () => {
  for (const listener of [...listening]) listener()
}

/**
 * Calls back whenever flows have started, also where the deploy left this node alone. One listener for all: Node.js warns of
 * a leak from eleven on.
 * @returns ends it
 */
export function onEachDeploy({ events }: NodeAPI, listener: () => void): () => void {
  if (listening.size === 0) events.on('flows:started', tellAll)
  listening.add(listener)
  return () => {
    listening.delete(listener)
    if (listening.size === 0) events.removeListener('flows:started', tellAll)
  }
}
