import should from 'should'
import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'

const onTab = { z: 'tab', x: 100, y: 100 }

/** A PLC whose values come and go by HTTP: any nodes can be the reader and the writer. */
const flow = (id: string, handshake: object = {}) => [
  { id: 'tab', type: 'tab', label: 'Cell' },
  { id, type: 'vision-plc-handshake', name: '', connection: 'any', silentAfter: 60, ...handshake },
  { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: id, wires: [['work'], []] },
  {
    ...onTab,
    id: 'work',
    type: 'function',
    func: 'global.set("cycles", (global.get("cycles") ?? 0) + 1)\nreturn msg.payload.job === 99 ? null : msg',
    outputs: 1,
    wires: [['result']],
  },
  { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
  { ...onTab, id: 'said', type: 'http in', url: '/plc', method: 'post', wires: [['messages', 'taken']] },
  { ...onTab, id: 'messages', type: 'vision-plc-messages', handshake: id, wires: [['keep']] },
  {
    ...onTab,
    id: 'keep',
    type: 'function',
    func: [
      'const { metrics } = msg.payload',
      'const own = (name) => name.replace("Cell/", "")',
      'const named = metrics?.map(({ name, value }) => [own(name), value])',
      'global.set("cell", named ? Object.fromEntries(named) : msg.payload)',
    ].join('\n'),
    outputs: 1,
    wires: [[]],
  },
  { ...onTab, id: 'asked', type: 'http in', url: '/cell', method: 'get', wires: [['answer']] },
  {
    ...onTab,
    id: 'answer',
    type: 'function',
    func: 'msg.payload = { ...global.get("cell"), cycles: global.get("cycles") ?? 0 }\nreturn msg',
    outputs: 1,
    wires: [['taken']],
  },
  { ...onTab, id: 'taken', type: 'http response', statusCode: '200', wires: [] },
]

interface Cell {
  ready: boolean
  busy: boolean
  done: boolean
  error: boolean
  code: number
  echo: number
  counter: number
  life: number
  cycles: number
}

describe('a PLC handshake over messages of other nodes', function () {
  this.timeout(90_000)
  let red: NodeRed
  before(async () => {
    red = await startNodeRed()
  })
  after(() => red.stop())

  const say = async (values: object) => {
    const { status } = await fetch(`${red.url}/plc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
    should(status).equal(200)
  }
  const cell = async () => (await (await fetch(`${red.url}/cell`)).json()) as Cell
  /** The PLC repeats what it says, as each reader does. */
  const until = (values: object, wanted: Partial<Cell>) =>
    eventually(async () => {
      await say(values)
      should(await cell()).match(wanted)
    })

  it('answers each number once, and not one that stood there before', async () => {
    await red.deploy(flow('numbers', { family: 'sequence' }))
    await until({ sequence: 0, job: 1 }, { ready: true, echo: 0 })
    await until({ sequence: 1, job: 1 }, { done: true, code: 0, echo: 1, counter: 1 })
    await until({ sequence: 2, job: 1 }, { done: true, code: 0, echo: 2, counter: 2 })
    should((await cell()).cycles).equal(2)
  })

  it('ends a cycle that a deploy interrupts with a code, and executes nothing twice', async () => {
    await until({ sequence: 3, job: 99 }, { busy: true })
    const before = (await cell()).cycles
    await red.deploy(flow('numbers', { family: 'sequence', deadline: 4 }))
    await until({ sequence: 3, job: 99 }, { error: true, code: 206, echo: 3 })
    should((await cell()).cycles).equal(before)
  })

  it('takes commands of a Sparkplug host, who sends what changes alone, and answers by metrics', async () => {
    const metrics = (values: object) => ({
      metrics: Object.entries(values).map(([name, value]) => ({
        name: `Cell/${name}`,
        value: value as number,
      })),
    })
    await red.deploy(flow('metrics', { connection: 'sparkplug', family: 'sequence' }))
    await until(metrics({ sequence: 0, job: 1 }), { ready: true, echo: 0 })
    const before = (await cell()).cycles
    await until(metrics({ sequence: 1 }), { done: true, code: 0, echo: 1 })
    await until(metrics({ plcLife: 7 }), { done: true, echo: 1 })
    await until(metrics({ sequence: 2 }), { done: true, code: 0, echo: 2 })
    should((await cell()).cycles).equal(before + 2)
  })

  it('takes the silence of the reader for a lost connection', async () => {
    await red.deploy(flow('silent', { family: 'four-phases', silentAfter: 0.2 }))
    await until({ trigger: false }, { ready: true })
    const { life, cycles } = await cell()
    await eventually(() => void should(red.output()).match(/No values of the PLC have arrived for 0\.2 s/))
    // What is set meanwhile stood there before.
    await until({ trigger: true }, { error: true, code: 205, ready: false })
    await until({ trigger: false }, { ready: true, error: false })
    await until({ trigger: true }, { done: true, code: 0 })
    const now = await cell()
    should(now.cycles).equal(cycles + 1)
    should(now.life).be.aboveOrEqual(life)
  })

  it('repeats what does not read back, and says so once', async () => {
    await red.deploy(flow('stubborn', { family: 'four-phases' }))
    const trigger = false
    await until({ trigger, ready: false, life: 0 }, { ready: true })
    await eventually(async () => {
      await say({ trigger, ready: false, life: 0 })
      should(red.output()).match(/ready does not arrive in the PLC: it reads back as false instead of true/)
    })
  })

  it('reports a message without any of the names once', async () => {
    await red.deploy(flow('foreign'))
    const from = red.output().length
    const told = () =>
      red
        .output()
        .slice(from)
        .match(/contains none of the names/g)?.length
    await eventually(async () => {
      await say({ other: 1 })
      should(told()).equal(1)
    })
    for (let turn = 0; turn < 5; turn++) await say({ other: turn })
    should(told()).equal(1)
  })
})
