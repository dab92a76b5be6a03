/** Properties that refer to other nodes of the flow. */
const references = ['id', 'z', 'g', 'wires', 'links', 'scope', 'nodes', 'target']

interface ExampleNode extends Record<string, unknown> {
  id: string
  type: string
}

/**
 * The editor keeps the ids of an imported file if they are free: everybody with this package would know the ids of a cell
 * built from an example.
 * @param newId of the editor
 */
export function withNewIds(text: string, newId: () => string): string {
  const nodes = JSON.parse(text) as ExampleNode[]
  const tabs = new Set(nodes.filter(({ type }) => type === 'tab').map(({ id }) => id))
  // Examples share configurations; Node-RED gives nodes of a subflow new ids itself.
  const onTabs = nodes.filter(({ id, z }) => tabs.has(id) || tabs.has(String(z)))
  const ids = new Map(onTabs.map(({ id }) => [id, newId()]))
  const renewed = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(renewed) : typeof value === 'string' ? (ids.get(value) ?? value) : value
  return JSON.stringify(
    nodes.map((node) =>
      Object.fromEntries(
        Object.entries(node).map(([key, value]) => [key, references.includes(key) ? renewed(value) : value]),
      ),
    ),
  )
}

const ours = /(^|\/)library\/_?examples_?\/flows\/@cellsight\/node-red-vision\//

/** Renews ids whenever the editor fetches an example. @param newId of the editor */
export function newIdsForExamples(newId: () => string): void {
  const shared = globalThis as { visionExampleIds?: true }
  if (shared.visionExampleIds) return
  shared.visionExampleIds = true
  $.ajaxPrefilter((options) => {
    if (!ours.test(decodeURI(options.url ?? '')) || (options.type ?? 'GET').toUpperCase() !== 'GET') return
    options.dataFilter = (text: string) => {
      try {
        return withNewIds(text, newId)
      } catch {
        // Not the expected file; the editor reports it.
        return text
      }
    }
  })
}
