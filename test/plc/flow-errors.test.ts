import should from 'should'
import helper from 'node-red-node-test-helper'
import nodeRed, { type Node, type NodeAPI, type NodeInitializer, type NodeMessage } from 'node-red'
import { watchFlowErrors, type FlowFailure } from '../../nodes/plc/open-cycles'
import { newToken } from '../../nodes/plc/handshake-of'

const onTab = { z: 'tab', x: 0, y: 0 }
let api: NodeAPI

/** Nodes that report an error in each of the ways that there are. */
const failing: NodeInitializer = (RED) => {
  // The helper's API is without Node-RED's hooks.
  api = Object.assign(RED, { hooks: nodeRed.hooks })
  const kinds = {
    'fails-done': (node, _msg, done) => {
      done(new Error(`from ${node.id}`))
    },
    'fails-error': (node, msg) => {
      node.error(`from ${node.id}`, msg)
    },
    'fails-throw': (node) => {
      throw new Error(`from ${node.id}`)
    },
    succeeds: (node, msg, done) => {
      node.send(msg)
      done()
    },
  } as const satisfies Record<string, (node: Node, msg: NodeMessage, done: (error?: Error) => void) => void>
  for (const [type, act] of Object.entries(kinds))
    RED.nodes.registerType(type, function (this: Node, given) {
      RED.nodes.createNode(this, given)
      // Nodes of old do not tell when they are done.
      if (type === 'fails-error') this.on('input', (msg) => act(this, msg, () => undefined))
      else this.on('input', (msg, _send, done) => act(this, msg, done))
    })
}

describe('errors on the way of a cycle', () => {
  before(() => helper.startServer())
  afterEach(() => helper.unload())
  after(() => helper.stopServer())

  /** Sends the message of one cycle, or of several, into the node; resolves with what was reported. */
  async function fail(type: string, nodes: object[] = [], cycles = 1): Promise<FlowFailure[]> {
    await helper.load(
      [failing],
      [
        { id: 'tab', type: 'tab', label: 'test' },
        { ...onTab, id: 'first', type: 'succeeds', wires: [['second']] },
        { ...onTab, id: 'second', type, name: 'the second', wires: [] },
        ...nodes,
      ],
    )
    const errors = watchFlowErrors(api)
    const leave = errors.join()
    const failures: FlowFailure[] = []
    const ended = Array.from({ length: cycles }, () => {
      const token = newToken()
      const end = errors.watch(token, (failure) => failures.push(failure))
      helper.getNode('first')?.receive({ handshake: { node: 'plc', token } })
      return end
    })
    // Messages are delivered one turn of the loop later each.
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    for (const end of ended) end()
    leave()
    return failures
  }

  const text = ({ error }: FlowFailure) => (error instanceof Error ? error.message : String(error))

  for (const type of ['fails-done', 'fails-error', 'fails-throw']) {
    it(`sees what a node reports by ${type}, once`, async () => {
      const failures = await fail(type)
      failures.map(text).should.eql(['from second'])
      should(failures[0]?.node).eql({ id: 'second', type, name: 'the second' })
    })

    it(`leaves what a Catch takes of ${type} to it`, async () => {
      should(await fail(type, [{ ...onTab, id: 'catch', type: 'catch', scope: null, wires: [] }])).eql([])
    })
  }

  it('sees what only a Catch for other nodes could take', async () => {
    const failures = await fail('fails-done', [
      { ...onTab, id: 'catch', type: 'catch', scope: ['first'], wires: [] },
    ])
    failures.should.have.length(1)
  })

  it('tells cycles apart where the node says which message it was', async () => {
    should(await fail('fails-done', [], 3)).have.length(3)
  })

  it('ends no cycle by an error that may be that of another', async () => {
    // Each of the two is alone at the node only after the other has ended.
    should(await fail('fails-error', [], 2)).have.length(1)
  })

  it('leaves nothing in Node-RED', () => {
    const errors = watchFlowErrors(api)
    api.hooks.has('onReceive').should.be.false()
    errors.join()()
    api.hooks.has('onReceive').should.be.false()
    api.hooks.has('onComplete').should.be.false()
  })
})
