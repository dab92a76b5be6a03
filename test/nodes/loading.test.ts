import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import 'should'
import { nodeNames } from '../support/dialog-source'

const files = nodeNames.map((node) => join(__dirname, '..', '..', 'nodes', node, `${node}.js`))

const program = `
  const started = process.cpuUsage()
  for (const file of ${JSON.stringify(files)}) require(file)
  const { user, system } = process.cpuUsage(started)
  const milliseconds = (user + system) / 1000
  console.log(JSON.stringify({ milliseconds, loaded: Object.keys(require.cache) }))`

const load = () =>
  JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })) as {
    milliseconds: number
    loaded: string[]
  }

describe('loading all nodes', () => {
  it('leaves the heavy packages for later', () => {
    const { loaded } = load()
    const heavy = /node_modules.(undici|fastify|@fastify|@sinclair|protobufjs|ml-matrix)\b/
    loaded.filter((file) => heavy.test(file)).should.eql([])
  })

  it('takes less than 150 ms of CPU', () => {
    const times = Array.from({ length: 5 }, () => load().milliseconds)
    Math.min(...times).should.be.below(150)
  })
})
