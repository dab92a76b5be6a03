import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import should from 'should'
import { NodeAnswer } from '../../nodes/shared/outcome'
import { onDeploy, type DeployedWork } from '../../nodes/device/on-deploy'
import { onInput } from '../../nodes/device/on-input'
import { useBench } from '../support/bench'
import { sentencesOf } from '../../nodes/sentences'

const { invalidInput } = sentencesOf('virtual-device')

type Fields = NodeDef & { device: string }
let standing: DeployedWork<never> | undefined
let ended: string[] = []
/** Begins work of the node's own. */
let beginOwn: ReturnType<typeof onInput> | undefined
/** The steps wait for this. */
let released = Promise.resolve()

const changesNothing = { inputs: 1, changes: false } as const

/** Nodes with only long work. */
const types = [
  (RED: NodeAPI) => {
    RED.nodes.registerType('vision-test-steps', function (this: Node, fields: Fields) {
      RED.nodes.createNode(this, fields)
      beginOwn = onInput(RED, this, changesNothing, fields, async ({ device, notify, progress, signal }) => {
        progress('waiting', 7)
        notify(1, { step: 'asking' }, { text: 'asking' })
        await released
        const { ready } = await device.client.getSystem({ signal })
        notify(1, { step: 'answered' }, { text: 'answered' })
        return new NodeAnswer({ payload: ready }, { text: 'ready' })
      })
    })
  },
  (RED: NodeAPI) => {
    RED.nodes.registerType(
      'vision-test-standing',
      function (this: Node, fields: Fields & { fails?: boolean }) {
        RED.nodes.createNode(this, fields)
        onDeploy(RED, this, fields, async (given) => {
          if (fields.fails) throw invalidInput('no-scenario')
          standing = given
          given.emit(1, { payload: 'began' }, { text: 'began' })
          await once(given.signal, 'abort')
          await nextTurn()
          ended.push('work')
        })
      },
    )
  },
  (RED: NodeAPI) => {
    RED.nodes.registerType('vision-test-both', function (this: Node, fields: Fields) {
      RED.nodes.createNode(this, fields)
      onInput(RED, this, changesNothing, fields, async ({ progress }) => {
        progress('waiting', 7)
        await released
        return new NodeAnswer({ payload: 'worked' }, { text: 'worked' })
      })
      onDeploy(RED, this, fields, async (given) => {
        given.show('following')
        const states: string[] = []
        given.onLink((state) => states.push(state))
        await once(given.signal, 'abort')
        ended.push(...states)
      })
    })
  },
]

describe('steps of long work', () => {
  const bench = useBench({ type: 'vision-test-steps' }, { types })

  it('are sent before the outcome as copies of the message', async () => {
    const steps: NodeMessage[] = []
    bench.helperNode('out1').removeAllListeners('input')
    bench.helperNode('out1').on('input', (message: NodeMessage) => steps.push(message))
    const message = await bench.send({ payload: 'kept' })
    message.payload?.should.equal(true)
    should(message).not.have.property('step')
    steps
      .map((step) => [step['step'], step.payload])
      .should.deepEqual([
        ['asking', 'kept'],
        ['answered', 'kept'],
      ])
  })

  it('show in the status until the message has left', async () => {
    let release: (() => void) | undefined
    released = new Promise((resolve) => (release = resolve))
    const sent = bench.send()
    await bench.status('waiting')
    release?.()
    await sent
    await bench.status('done')
  })
})

describe('work that a node begins by itself', () => {
  const bench = useBench({ type: 'vision-test-steps' }, { types })

  it('takes its turn among the messages, and sends a new one', async () => {
    let release: (() => void) | undefined
    released = new Promise((resolve) => (release = resolve))
    const sent = bench.send({ payload: 'first' })
    await bench.status('waiting')
    const began: string[] = []
    const out = bench.helperNode('out0')
    beginOwn?.({ topic: 'own' }, ({ msg }) => {
      began.push(String(msg.topic))
      return Promise.resolve(new NodeAnswer({ payload: 'done' }, { text: 'done' }))
    })
    began.should.be.empty()
    const messages: NodeMessage[] = []
    const both = new Promise<void>((resolve) =>
      out.on('input', (message: NodeMessage) => {
        if (messages.push(message) === 2) resolve()
      }),
    )
    release?.()
    await Promise.all([sent, both])
    const message = messages[1] ?? {}
    message.should.have.properties({ topic: 'own', payload: 'done' })
    should(message._msgid).be.a.String()
    began.should.deepEqual(['own'])
  })

  it('reports to Catch when it fails', async () => {
    const caught = once(bench.helperNode('caught'), 'input')
    beginOwn?.({ topic: 'own' }, () => Promise.reject(invalidInput('no-scenario')))
    const [message] = (await caught) as [NodeMessage]
    should(message['error']).have.property('code', 'INVALID_INPUT')
    message.should.have.property('topic', 'own')
  })
})

describe('message-independent work', () => {
  const bench = useBench({ type: 'vision-test-standing' }, { types })
  const began = async () => {
    const [message] = (await once(bench.helperNode('out1'), 'input')) as [NodeMessage]
    return message.payload
  }
  beforeEach(() => (ended = []))

  it('starts with the deploy and sends from then on', async () => {
    if (!standing) (await began())?.should.equal('began')
    const arrived = began()
    standing?.emit(1, { payload: 'more' }, { text: 'more' })
    should(await arrived).equal('more')
    standing?.show('calling')
    await bench.status('calling')
    standing?.showLink()
    await bench.status('ready')
  })

  it('ends before the node is closed, and starts again with the next deploy', async () => {
    const before = standing
    await bench.deploy({ further: 1 })
    // It continues once it knows that the flows have started.
    while (standing === before) await nextTurn()
    ended.should.deepEqual(['work'])
    before?.signal.aborted.should.be.true()
    standing?.signal.aborted.should.be.false()
  })

  it('reports to Catch when it fails', async () => {
    const caught = bench.deploy({ fails: true }).then(() => once(bench.helperNode('caught'), 'input'))
    const [message] = (await caught) as [NodeMessage]
    should(message['error']).have.property('code', 'INVALID_INPUT')
  })
})

describe('a node that works with and without messages', () => {
  const bench = useBench({ type: 'vision-test-both' }, { types })
  beforeEach(() => (ended = []))

  it('shows the work on a message while there is one, and otherwise the other work', async () => {
    await bench.status('following')
    let release: (() => void) | undefined
    released = new Promise((resolve) => (release = resolve))
    const sent = bench.send()
    await bench.status('waiting')
    release?.()
    should((await sent).payload).equal('worked')
    await bench.status('following')
  })

  it('stays on the device until both have ended', async () => {
    const { device, users } = bench.config
    users.should.have.property('test')
    bench.device.setScenario({ offline: true })
    await bench.state('unreachable')
    await bench.deployWithout('nodes')
    ended.should.containEql('unreachable')
    device.isWatched.should.be.false()
    users.should.be.empty()
  })
})
