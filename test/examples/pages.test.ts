import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { root } from '../support/root'
import { exampleNodes, type FlowNode } from '../support/example'

const names = readdirSync(join(root, 'examples')).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])

/** Types of our nodes that receive messages from these nodes. */
function reached(nodes: readonly FlowNode[], from: readonly FlowNode[]): string[] {
  const seen = new Set<FlowNode>()
  const walk = (node: FlowNode) => {
    for (const id of ((node['wires'] ?? []) as string[][]).flat()) {
      const next = nodes.find((each) => each.id === id)
      if (!next || seen.has(next)) continue
      seen.add(next)
      walk(next)
    }
  }
  for (const node of from) walk(node)
  return [...new Set([...seen].map(({ type }) => type).filter((type) => type.startsWith('vision-')))]
}

describe('the pages of the examples', () => {
  for (const name of names) {
    const nodes = exampleNodes(name)
    const ofType = (type: string) => nodes.filter((node) => node.type === type)
    if (ofType('http in').length === 0) continue

    it(`lead to no node that accepts unauthenticated requests: ${name}`, () => {
      // This one asks whether Node-RED has a login.
      should(reached(nodes, ofType('http in')).filter((type) => type !== 'vision-firmware-update')).be.empty()
      reached(nodes, ofType('websocket in')).should.be.empty()
    })
  }
})
