import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Connection } from '../device/connection'
import { deviceOf } from '../device/device'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('firmware-update')

/** A device to be updated. */
export interface Target {
  /** Id of its `vision-device-config` node. */
  id: string
  name: string
  device: Connection
  /** Releases the connection. */
  leave: () => void
}

/** The device of the node. */
export type OwnTarget = Pick<Target, 'id' | 'device'>

/**
 * The devices with these names, each once: names of `vision-device-config` nodes and not addresses, so that no message
 * can send a login elsewhere.
 * @throws INVALID_INPUT naming a missing one
 */
export function targetsOf(RED: NodeAPI, node: Node, names: readonly string[], own: OwnTarget): Target[] {
  const ids = devicesByName(RED)
  const targets: Target[] = []
  try {
    for (const name of new Set(names)) {
      const target = targetOf(RED, node, { id: ids.get(name) ?? '', name }, own)
      if (!target) throw invalidInput('firmware-no-device', { name, known: [...ids.keys()].join(', ') })
      targets.push(target)
    }
    return targets
  } catch (error) {
    for (const { leave } of targets) leave()
    throw error
  }
}

/** The device of a config node, connected until it is released; undefined if there is none. */
export function targetOf(
  RED: NodeAPI,
  node: Node,
  { id, name }: Pick<Target, 'id' | 'name'>,
  own: OwnTarget,
): Target | undefined {
  // The node has already joined its own device, and shows its state.
  if (id === own.id) return { id, name, device: own.device, leave: () => undefined }
  const device = deviceOf(RED, id)
  if (!device) return undefined
  const leave = device.join(node, () => undefined)
  return { id, name, device: device.connection, leave }
}

/** The name of a config node; empty if it has none. */
export function nameOfDevice(RED: NodeAPI, id: string): string {
  for (const [name, each] of devicesByName(RED)) if (each === id) return name
  return ''
}

function devicesByName(RED: NodeAPI): Map<string, string> {
  const ids = new Map<string, string>()
  RED.nodes.eachNode((node: NodeDef) => {
    if (node.type === 'vision-device-config' && node.name) ids.set(node.name, node.id)
  })
  return ids
}

/** Names as comma-separated text, or as an array. @throws INVALID_INPUT */
export function namesOf(given: unknown): string[] {
  const list: unknown = typeof given === 'string' ? given.split(',') : (given ?? [])
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string'))
    throw invalidInput('not-a-list', { field: 'devices' })
  return list.map((name) => name.trim()).filter(Boolean)
}
