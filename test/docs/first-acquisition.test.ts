import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { virtualDeviceNode } from '../../nodes/virtual-device/fields'
import { root } from '../support/root'
import { documents } from './documents'

const guide = documents.find(({ path }) => path === 'docs/first-acquisition.md')?.text ?? ''
interface FlowNode {
  type: string
  port?: unknown
  connection?: string
  env?: { name: string; value: string }[]
}

const listens = ({ type, connection }: FlowNode) =>
  ['vision-virtual-device', 'vision-robot-connection'].includes(type) ||
  (type === 'vision-plc-handshake' && connection === 'server')

/** Ports on which an example listens, with their values from its environment. */
function portsOf(example: string): string[] {
  const flow = JSON.parse(readFileSync(join(root, 'examples', example), 'utf8')) as FlowNode[]
  const variables = flow.flatMap(({ env = [] }) => env)
  return flow.filter(listens).map(({ port }) => {
    const name = /^\$\{(\w+)\}$/.exec(String(port))?.[1]
    const value = variables.find((variable) => variable.name === name)?.value ?? String(port)
    return /(\d+)"?$/.exec(value)?.[1] ?? value
  })
}

// That it leads to a picture, test/editor/first-picture.test.ts tries out.
describe('the guide "The first acquisition"', () => {
  it("uses the node's default port in each of its steps", () => {
    const ports = [...guide.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))
    ports.length.should.be.above(1)
    should([...new Set(ports)]).eql([virtualDeviceNode.fields.port.default])
  })

  it('uses no port of an example, nor do examples share ports', () => {
    const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'))
    const ports = [String(virtualDeviceNode.fields.port.default), ...examples.flatMap(portsOf)]
    ports.length.should.be.above(60)
    should(ports.filter((port, at) => !/^\d+$/.test(port) || ports.indexOf(port) !== at)).eql([])
  })

  it('and `npm start` have separate ports', () => {
    const byDefault = /DEVICE_PORT', byDefault: (\d+)/.exec(
      readFileSync(join(root, 'scripts', 'demo', 'ports.mjs'), 'utf8'),
    )?.[1]
    should(portsOf('first-acquisition.json')).containEql(byDefault)
  })
})
