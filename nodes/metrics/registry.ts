import { SeriesGroup } from '../../lib/metrics'
import type { NodeAPI } from 'node-red'
import { families, type MetricName } from './families'

/** What a thing counts. */
export type Group = SeriesGroup<MetricName>

/** What is measured in one Node-RED, by kind and name: `device` and `Cell 1`. */
type Registry = Map<string, Group>

const registries = new WeakMap<object, Registry>()

/** The nodes of a Node-RED have its admin server in common. */
function registryOf({ httpAdmin }: Pick<NodeAPI, 'httpAdmin'>): Registry {
  const known = registries.get(httpAdmin) ?? new Map<string, Group>()
  registries.set(httpAdmin, known)
  return known
}

/** The groups of everything that runs. */
export const groupsOf = (RED: Pick<NodeAPI, 'httpAdmin'>): readonly Group[] => [...registryOf(RED).values()]

/**
 * Begins to measure a thing. Its label is its name; with its id where it has none, or where another has the same.
 * @param kind name of the label
 * @returns its group, and a function that ends it
 */
export function measured(
  RED: Pick<NodeAPI, 'httpAdmin'>,
  kind: 'device' | 'handshake' | 'centre',
  { id, name }: { id: string; name?: string },
): { group: Group; end: () => void } {
  const registry = registryOf(RED)
  const keyOf = (label: string) => `${kind} ${label}`
  const plain = name?.trim() || id
  const label = registry.has(keyOf(plain)) ? `${plain} (${id})` : plain
  const key = keyOf(label)
  const group: Group = new SeriesGroup<MetricName>(families, { [kind]: label })
  registry.set(key, group)
  return {
    group,
    end: () => {
      if (registry.get(key) === group) registry.delete(key)
    },
  }
}
