import type { NodeAPI } from 'node-red'

/** A node of the flows and what it uses on its device under a fixed name. */
interface NodeUse {
  id: string
  type: string
  name: string
  /** Id of the flow. */
  flow: string
  /** `{ pipeline: '0', node: 'dev_camera', parameter: 'fps' }`; without values from a message or an expression. */
  names: Record<string, string>
}

/** The fields that name something on a device, and what decides which of them apply. */
const naming = [
  'pipeline',
  'node',
  'parameter',
  'service',
  'stream',
  'log',
  'template',
  'which',
  'what',
  'action',
]

/** What the deployed flows use on a device. */
export function usesOf(RED: NodeAPI, device: string): NodeUse[] {
  const found: NodeUse[] = []
  RED.nodes.eachNode((definition) => {
    const fields = definition as unknown as Record<string, unknown>
    if (fields['device'] !== device || !definition.type.startsWith('vision-')) return
    const names: Record<string, string> = {}
    for (const field of naming) {
      const value = fields[field]
      const isFixed = (fields[`${field}Type`] ?? 'str') === 'str'
      if (isFixed && typeof value === 'string' && value !== '') names[field] = value
    }
    const { id, type, name } = definition
    found.push({ id, type, name, flow: typeof fields['z'] === 'string' ? fields['z'] : '', names })
  })
  return found
}
