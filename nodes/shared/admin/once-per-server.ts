import type { NodeAPI } from 'node-red'

/** Adds routes once to each admin server, also where a node type is loaded again. */
export function oncePerServer(addRoutes: (RED: NodeAPI) => void): (RED: NodeAPI) => void {
  const served = new WeakSet<object>()
  return (RED) => {
    if (served.has(RED.httpAdmin)) return
    served.add(RED.httpAdmin)
    addRoutes(RED)
  }
}
