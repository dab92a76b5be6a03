import { startNodeRed, type NodeRed, type NodeRedOptions } from './node-red'

const running = new Map<string, Promise<NodeRed>>()
after(async () => {
  for (const red of await Promise.all(running.values())) await red.stop()
})

/**
 * One Node-RED for all test files that need the same options. Each deploys its own flows in place of the previous ones.
 */
export function sharedNodeRed(options: NodeRedOptions): Promise<NodeRed> {
  const key = JSON.stringify(options)
  const red = running.get(key) ?? startNodeRed({ ...options, isShared: true })
  running.set(key, red)
  return red
}
