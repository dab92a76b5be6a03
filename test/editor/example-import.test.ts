import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { useEditor } from '../support/editor'

const folder = join(__dirname, '..', '..', '..', 'examples')

/** Imports flows as the menu does. Throws if the editor already has one of their ids. */
const importing = (flows: string) =>
  `RED.view.importNodes(${JSON.stringify(flows)}, { generateIds: false, addFlow: false })`

/** The part of a tab that the editor shows on a screen of 1366 × 768 with palette and sidebar open. Pixels. */
const screen = { width: 863, height: 657 }
/** Of packages that the user installs. */
const installedByUser = [
  ...['s7 in', 's7 out', 's7 endpoint', 'OpcUa-Client', 'OpcUa-Endpoint'],
  ...['modbus-client', 'modbus-flex-write', 'modbus-read'],
  ...['ads-client-subscribe', 'ads-client-write-symbol', 'ads-client-connection'],
  ...['modbus-read', 'modbus-flex-write', 'modbus-client'],
]

/**
 * What is wrong with the flows in the editor: nodes that are not configured, overlap each other or are off the screen,
 * and wires that go back to the left without closing a loop.
 */
const findings = `(async () => {
  const found = []
  const nodes = []
  for (const tab of RED.nodes.getWorkspaceOrder()) {
    // Nodes get their size when their tab is drawn.
    RED.workspaces.show(tab)
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    nodes.push(...RED.nodes.filterNodes({ z: tab }))
  }
  const installedByUser = ${JSON.stringify(installedByUser)}
  const look = (node) => {
    // What the palette lacks is drawn all the same.
    if (node.type === 'unknown' && (node._orig.type.startsWith('ui-') || installedByUser.includes(node._orig.type))) return
    if (node.type === 'unknown' || node.valid === false) found.push(node.id + ' is not set up: ' + (node.validationErrors ?? []).join(', '))
  }
  nodes.forEach(look)
  RED.nodes.eachConfig(look)
  for (const node of nodes) {
    const [right, bottom] = [node.x + node.w / 2, node.y + node.h / 2]
    if (right > ${screen.width} || bottom > ${screen.height}) found.push(node.id + ' is off the screen')
  }
  const links = nodes.flatMap((node) => RED.nodes.getNodeLinks(node))
  const reached = (from, found = new Set()) => {
    for (const { target } of links.filter(({ source }) => source === from))
      if (!found.has(target)) reached(target, found.add(target))
    return found
  }
  for (const { source, target } of links)
    // What closes a loop, such as the orders of a page, has to go back.
    if (source.x + source.w / 2 > target.x - target.w / 2 + 2 && !reached(target).has(source))
      found.push(source.id + ' → ' + target.id + ' goes to the left')
  nodes.forEach((one, index) => {
    for (const other of nodes.slice(index + 1)) {
      const [aside, below] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)]
      if (one.z === other.z && aside < (one.w + other.w) / 2 && below < (one.h + other.h) / 2)
        found.push(one.id + ' lies on ' + other.id)
    }
  })
  return { count: nodes.length, found }
})()`

describe('the examples in the editor', () => {
  const open = useEditor()

  it('can all be imported together, every node configured, on the screen and without overlaps, wires from left to right', async () => {
    const { page } = await open([])
    const shared = new Map<string, object>()
    for (const name of readdirSync(folder)) {
      const flow = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { id: string }[]
      // The dashboard of all operator's pages is there once: the editor asks, and a person keeps the present one.
      for (const node of flow) if (shared.has(node.id)) should(node).deepEqual(shared.get(node.id))
      for (const node of flow) shared.set(node.id, node)
    }
    await page.evaluate(importing(JSON.stringify([...shared.values()])))
    const { count, found } = await page.evaluate<{ count: number; found: string[] }>(findings)
    count.should.be.above(100)
    found.should.deepEqual([])
  })
})
