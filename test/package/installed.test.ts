import 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { root } from '../support/root'

const { name, 'node-red': listed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  'node-red': { nodes: Record<string, string> }
}

describe('the package in a Node-RED', () => {
  let red: NodeRed
  before(async () => {
    red = await startNodeRed()
  })
  after(() => red.stop())

  it('loads all its nodes without warnings', async () => {
    const sets = (await red.get('/nodes')) as {
      module: string
      name: string
      enabled: boolean
      err?: string
    }[]
    const ours = sets.filter(({ module }) => module === name)
    ours.map((set) => set.name).should.deepEqual(Object.keys(listed.nodes))
    for (const { enabled, err } of ours) {
      enabled.should.be.true()
      ;(err ?? '').should.equal('')
    }
    red.output().should.not.match(/\[(error|warn)\] .*(vision|cellsight)/)
  })
})
