import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { createClient } from '../../lib'
import { virtualDeviceNode } from '../../nodes/virtual-device/fields'
import { startVirtualDevice } from '../../virtual-device'
import { root } from '../support/root'
import { documents } from './documents'

const guide = documents.find(({ path }) => path === 'docs/first-acquisition.md')?.text ?? ''
/** The text in the guide between backquotes at the groups of the pattern. */
const said = (pattern: RegExp) => (pattern.exec(guide) ?? []).slice(1)

interface FlowNode {
  type: string
  port?: unknown
  env?: { name: string; value: string }[]
}

/** Ports of the virtual devices of an example, with their values from its environment. */
function portsOf(example: string): string[] {
  const flow = JSON.parse(readFileSync(join(root, 'examples', example), 'utf8')) as FlowNode[]
  const variables = flow.flatMap(({ env = [] }) => env)
  return flow
    .filter(({ type }) => type === 'vision-virtual-device')
    .map(({ port }) => {
      const name = /^\$\{(\w+)\}$/.exec(String(port))?.[1]
      const value = variables.find((variable) => variable.name === name)?.value ?? String(port)
      return /(\d+)"?$/.exec(value)?.[1] ?? value
    })
}

describe('the guide "The first acquisition"', () => {
  it('leads to an acquisition without a refusal', async () => {
    const [node = '', parameter = '', value = ''] = said(
      /node `(\w+)`,\s+parameter `(\w+)`,\s+and `(\w+)` for \*Value\*/,
    )
    const [triggered = '', service = ''] = said(/node `(\w+)`,\s+service\s+`(\w+)`/)
    const device = await startVirtualDevice({ port: 0 })
    const client = createClient({ address: device.url })
    try {
      guide.indexOf(`\`${parameter}\``).should.be.below(guide.indexOf(`\`${service}\``))
      await client.setParameter({ pipeline: '0', node, param: parameter, value })
      const { response } = await client.callService({ pipeline: '0', node: triggered, service, args: {} })
      should(response).match({ return_code: { value: 0 } })
    } finally {
      await client.close()
      await device.stop()
    }
  })

  it("uses the node's default port in each of its steps", () => {
    const ports = [...guide.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))
    ports.length.should.be.above(1)
    should([...new Set(ports)]).eql([virtualDeviceNode.fields.port.default])
  })

  it('uses no port of an example, nor do examples share ports', () => {
    const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'))
    const ports = [String(virtualDeviceNode.fields.port.default), ...examples.flatMap(portsOf)]
    ports.length.should.be.above(30)
    should(ports.filter((port, at) => !/^\d+$/.test(port) || ports.indexOf(port) !== at)).eql([])
  })

  it('and `npm start` have separate ports', () => {
    const byDefault = /DEVICE_PORT', byDefault: (\d+)/.exec(
      readFileSync(join(root, 'scripts', 'demo', 'ports.mjs'), 'utf8'),
    )?.[1]
    should([byDefault]).eql(portsOf('first-acquisition.json'))
  })
})
