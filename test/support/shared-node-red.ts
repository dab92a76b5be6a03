import { startNodeRed, type NodeRed, type NodeRedOptions } from './node-red'

const running = new Map<string, Promise<NodeRed>>()
after(async () => {
  for (const red of await Promise.all(running.values())) await red.stop()
})

/** One for all test files with equal options; each deploys its own flows. */
export function sharedNodeRed(options: NodeRedOptions): Promise<NodeRed> {
  const key = JSON.stringify(options)
  const red = running.get(key) ?? startNodeRed({ ...options, isShared: true })
  running.set(key, red)
  return red
}
