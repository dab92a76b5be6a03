import type { Node, NodeAPI, NodeDef } from 'node-red'

/** Messages by node id. */
export const counts = new Map<string, number>()

export default (RED: NodeAPI) => {
  RED.nodes.registerType('bench-count', function (this: Node, definition: NodeDef) {
    RED.nodes.createNode(this, definition)
    counts.set(this.id, 0)
    this.on('input', (_message, _send, done) => {
      counts.set(this.id, (counts.get(this.id) ?? 0) + 1)
      done()
    })
    this.on('close', () => counts.delete(this.id))
  })
}
