import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'

/** By node id. */
export const sinks = new Map<string, (message: NodeMessage) => void>()

export default (RED: NodeAPI) => {
  RED.nodes.registerType('bench-sink', function (this: Node, definition: NodeDef) {
    RED.nodes.createNode(this, definition)
    this.on('input', (message, _send, done) => {
      sinks.get(this.id)?.(message)
      done()
    })
  })
}
