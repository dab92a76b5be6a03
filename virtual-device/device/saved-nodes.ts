import type { DeviceState } from './device-state'
import type { Json } from '../module'
import type { Nodes } from './nodes'

type SavedNodes = DeviceState['nodes'][string]

/** The state to save of the nodes in one place, by the bare names of their modules. */
export const nodesOf = (nodes: Nodes): SavedNodes =>
  Object.fromEntries(
    [...nodes.values()].map(({ module, parameters }) => [
      module.name,
      { parameters: { ...parameters.values }, ...(module.save && { kept: module.save() }) },
    ]),
  )

/** @returns the parameters whose saved value no longer fits */
export function restoreNodes(nodes: Nodes, saved: SavedNodes = {}): string[] {
  return [...nodes.values()].flatMap(({ name, module, parameters }) => {
    const state = saved[module.name]
    if (!state) return []
    if (state.kept !== undefined) module.restore?.(state.kept as Json)
    return parameters.restore(state.parameters).map((parameter) => `${name}.${parameter}`)
  })
}
