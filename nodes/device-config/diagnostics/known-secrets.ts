import type { NodeAPI } from 'node-red'
import { typedAddress } from '../../../lib/contract/reading/address'
import { environmentText } from '../../shared/read-fields'
import { deployedDevices, type DeviceConfigNode } from '../deployed-device'

/** The stored secrets of all running nodes, of any package, and the logins in device addresses. */
export function knownSecrets(RED: NodeAPI): string[] {
  const found: string[] = []
  RED.nodes.eachNode(({ id }) => {
    const node = RED.nodes.getNode(id) as { credentials?: object } | null | undefined
    for (const value of Object.values(node?.credentials ?? {}))
      if (typeof value === 'string') found.push(value)
  })
  for (const node of deployedDevices(RED).values()) {
    const resolved = (field: string, text: string) => resolvedText(RED, node, field, text)
    for (const [field, value] of Object.entries(node.credentials)) {
      const variables = value.match(/\$\{[^{}]*\}/g) ?? []
      found.push(...[value, ...variables].map((text) => resolved(field, text)))
    }
    const { login } = typedAddress(resolved('address', node.fields.address))
    found.push(...login.split(':').flatMap((part) => [part, decoded(part)]))
  }
  return found
}

/** The text with its environment variables resolved, where they exist. */
function resolvedText(RED: NodeAPI, node: DeviceConfigNode, field: string, text: string): string {
  try {
    return environmentText(RED, node, field, text)
  } catch {
    return text
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
