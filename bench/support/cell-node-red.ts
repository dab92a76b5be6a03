// node cell-node-red.js: Node-RED in a process. Receives a flow and runs it; answers messages with its CPU seconds.
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
