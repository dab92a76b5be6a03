import type { Node, NodeAPI } from 'node-red'

/** Stands in for a node that is not deployed yet: it sees the same environment as deployed nodes in the same place. */
export function environmentNode(RED: NodeAPI, z: string): Node {
  let neighbour: Node | undefined
  RED.nodes.eachNode((definition) => {
    const { id, z: place = '', g } = definition as { id: string; z?: string; g?: string }
    if (place === z && !g) neighbour ??= RED.nodes.getNode(id) as Node | undefined
  })
  return neighbour ?? withoutFlows(RED)
}

/** If nothing is deployed, there is only the environment of the process, without what the settings hide. */
function withoutFlows(RED: NodeAPI): Node {
  const { envVarExcludes = [] } = RED.settings as { envVarExcludes?: string[] }
  const getSetting = (name: string) => (envVarExcludes.includes(name) ? undefined : process.env[name])
  return { _flow: { getSetting } } as unknown as Node
}
