// A Node-RED in a process of its own: node cell-node-red.js. Receives a flow, runs it and says so; then answers each
// message with the CPU seconds of the process so far.
import { embeddedNodeRed } from './embedded-node-red'

let isRunning = false

process.on('message', (flow: object[]) => {
  if (isRunning) {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1e6)
    return
  }
  isRunning = true
  void embeddedNodeRed(flow).then(() => process.send?.('running'))
})
process.on('disconnect', () => process.exit())
