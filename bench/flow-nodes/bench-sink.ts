import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'

/** Who is told of the messages at each node of this kind, by its id. */
export const sinks = new Map<string, (message: NodeMessage) => void>()

/** Hands messages to the bench. */
export default (RED: NodeAPI) => {
  RED.nodes.registerType('bench-sink', function (this: Node, definition: NodeDef) {
    RED.nodes.createNode(this, definition)
    this.on('input', (message, _send, done) => {
      sinks.get(this.id)?.(message)
      done()
    })
  })
}
