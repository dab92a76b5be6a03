import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { root } from '../support/root'

const list = readFileSync(join(root, 'docs', 'recipes.md'), 'utf8')
const examples = readdirSync(join(root, 'examples')).map((file) => file.replace(/\.json$/, ''))

describe('the list of examples', () => {
  it('has each example once, and no others', () => {
    const listed = [...list.matchAll(/^\| `([a-z\d-]+)` \|/gm)].map(([, name]) => name)
    listed.sort().should.deepEqual(examples.sort())
  })

  it('has examples with a test each', () => {
    const tests = ['examples', 'demo', 'nodes'].flatMap((folder) => readdirSync(join(root, 'test', folder)))
    // Those with Dashboard are tested where it is installed.
    const withDashboard = readdirSync(join(root, 'test', 'operator'))
    for (const example of examples)
      [...tests, ...withDashboard.map((file) => file.replace(/\.ts$/, '.test.ts'))].should.containEql(
        `${example}.test.ts`,
      )
  })

  it('has files with one node per line, so that a change shows which nodes it affects', () => {
    for (const name of examples) {
      const text = readFileSync(join(root, 'examples', `${name}.json`), 'utf8')
      const lines = (JSON.parse(text) as object[]).map((node) => JSON.stringify(node))
      text.should.equal(`[\n${lines.join(',\n')}\n]\n`)
    }
  })

  it('shows every node of the package', () => {
    const { 'node-red': nodeRed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      'node-red': { nodes: Record<string, string> }
    }
    const texts = examples.map((name) => readFileSync(join(root, 'examples', `${name}.json`), 'utf8'))
    const shown = new Set(
      texts.flatMap((text) => [...text.matchAll(/"type":"vision-([a-z-]+)"/g)]).map(([, type]) => type),
    )
    for (const node of Object.keys(nodeRed.nodes)) [...shown].should.containEql(node)
  })
})
