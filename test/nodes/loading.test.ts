import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import 'should'
import { nodeNames } from '../support/dialog-source'

const files = nodeNames.map((node) => join(__dirname, '..', '..', 'nodes', node, `${node}.js`))

const program = `
  for (const file of ${JSON.stringify(files)}) require(file)
  console.log(JSON.stringify({ loaded: Object.keys(require.cache) }))`

const load = () =>
  JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })) as {
    loaded: string[]
  }

describe('loading all nodes', () => {
  it('leaves the heavy packages for later', () => {
    const { loaded } = load()
    const heavy = /node_modules.(undici|fastify|@fastify|protobufjs|ml-matrix)\b|lib.typebox/
    loaded.filter((file) => heavy.test(file)).should.eql([])
  })

  it('reads no more files than it needs: each costs a third of a millisecond at every start of Node-RED', () => {
    load().loaded.length.should.be.below(500)
  })
})
