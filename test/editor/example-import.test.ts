import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { useEditor } from '../support/editor'

const folder = join(__dirname, '..', '..', '..', 'examples')

/** Imports flows as the menu does. Throws where the editor has one of their ids already. */
const importing = (flows: string) =>
  `RED.view.importNodes(${JSON.stringify(flows)}, { generateIds: false, addFlow: false })`

/** What is wrong with the flows in the editor: nodes that are not set up, and nodes on each other. */
const findings = `(async () => {
  const found = []
  const nodes = []
  for (const tab of RED.nodes.getWorkspaceOrder()) {
    // Nodes get their size when their tab is drawn.
    RED.workspaces.show(tab)
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    nodes.push(...RED.nodes.filterNodes({ z: tab }))
  }
  const look = (node) => {
    if (node.type === 'unknown' || node.valid === false) found.push(node.id + ' is not set up')
  }
  nodes.forEach(look)
  RED.nodes.eachConfig(look)
  nodes.forEach((one, index) => {
    for (const other of nodes.slice(index + 1)) {
      const [aside, below] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)]
      if (one.z === other.z && aside < (one.w + other.w) / 2 && below < (one.h + other.h) / 2)
        found.push(one.id + ' lies on ' + other.id)
    }
  })
  return { count: nodes.length, found }
})()`

describe('the examples in the editor', function () {
  this.timeout(60_000)
  // One of them has Modbus nodes.
  const open = useEditor({ palette: ['node-red-contrib-modbus'], settings: { nodesExcludes: [] } })

  it('can be imported all together, every node set up, and none on another', async () => {
    const { page } = await open([])
    for (const name of readdirSync(folder))
      await page.evaluate(importing(readFileSync(join(folder, name), 'utf8')))
    const { count, found } = await page.evaluate<{ count: number; found: string[] }>(findings)
    count.should.be.above(100)
    found.should.deepEqual([])
  })
})
