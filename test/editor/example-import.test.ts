import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { withNewIds } from '../../editor/example-ids'
import { useEditor } from '../support/editor'
import { importExample } from '../support/hand'

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

/** Nodes as the editor would deploy them, without their ids. */
interface ShippedNode extends Record<string, unknown> {
  id: string
  type: string
  z?: string
}
const shipped = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as ShippedNode[]
/** Tabs and what lies on them, but not what is in a subflow. */
const idsOnTabs = (nodes: readonly ShippedNode[]) => {
  const tabs = new Set(nodes.filter(({ type }) => type === 'tab').map(({ id }) => id))
  return new Set(nodes.filter(({ id, z = '' }) => tabs.has(id) || tabs.has(z)).map(({ id }) => id))
}

describe('an example that is imported from the menu', () => {
  const open = useEditor()

  it('has ids of its own each time, wired as in the file, and shares its configurations', async () => {
    const editor = await open([])
    editor.isAltered = true
    const { page } = editor
    const flows = () =>
      page.evaluate<ShippedNode[]>('RED.nodes.createCompleteNodeSet({ credentials: false })')
    const file = shipped('operator-calibration.json')
    await importExample(page, 'operator-calibration')
    await page.locator('.red-ui-notification', { hasText: 'unrecognised' }).waitFor()
    const types = new Set(file.map(({ type }) => type))
    // The editor adds an empty tab, and the variables of all flows.
    const nodes = (await flows()).filter(({ type, label }) => types.has(type) && label !== 'Flow 1')
    should(nodes.map(({ type }) => type).sort()).deepEqual(file.map(({ type }) => type).sort())
    const old = idsOnTabs(file)
    const present = new Set(nodes.map(({ id }) => id))
    for (const { id, type } of nodes) should(old.has(id)).be.false(`${type} ${id}`)
    for (const { id } of file) should(present.has(id)).equal(!old.has(id))
    const named = (some: readonly ShippedNode[]) =>
      some.flatMap(({ z, g, wires = [] }) => [z, g, ...(wires as string[][]).flat()].filter(Boolean))
    should(named(nodes).length).equal(named(file).length)
    for (const id of named(nodes)) should(present.has(String(id))).be.true()
  })
})

describe('the new ids of an example', () => {
  it('replace all of the old ones, and nothing else', () => {
    for (const name of readdirSync(folder)) {
      const file = shipped(name)
      let count = 0
      const renewed = JSON.parse(withNewIds(JSON.stringify(file), () => `new-${++count}`)) as ShippedNode[]
      const back = new Map(renewed.map(({ id }, index) => [id, file[index]?.id]))
      should(back.size).equal(file.length)
      const restored = JSON.stringify(renewed).replace(/"(new-\d+)"/g, (_all, id: string) =>
        JSON.stringify(back.get(id)),
      )
      should(JSON.parse(restored)).deepEqual(file)
      const old = idsOnTabs(file)
      for (const { id, z, g, wires = [], links = [], scope = [], nodes = [] } of renewed)
        for (const each of [id, z, g, wires, links, scope, nodes].flat(2))
          should(old.has(String(each))).be.false()
    }
  })
})
