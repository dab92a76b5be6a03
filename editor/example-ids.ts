/** Properties of a node that name other nodes of its flow. */
const references = ['id', 'z', 'g', 'wires', 'links', 'scope', 'nodes', 'target']

interface ExampleNode extends Record<string, unknown> {
  id: string
  type: string
}

/**
 * The text of an example with new ids. The editor keeps the ids of a file as long as they are free, so that everybody who
 * has the package would know those of a cell that was built from it.
 * @param newId of the editor
 */
export function withNewIds(text: string, newId: () => string): string {
  const nodes = JSON.parse(text) as ExampleNode[]
  const tabs = new Set(nodes.filter(({ type }) => type === 'tab').map(({ id }) => id))
  // Configurations stay as they are, since examples share them. Node-RED gives the nodes of a subflow ids of its own.
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

/**
 * Gives the examples of this package new ids whenever the editor fetches one, to import it.
 * @param newId of the editor
 */
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
        // Not the file that was meant; the editor says what is wrong with it.
        return text
      }
    }
  })
}
