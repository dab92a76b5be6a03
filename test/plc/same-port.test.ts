import should from 'should'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'

describe('two handshakes on one port', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port = 0
  const onTab = { z: 'tab', x: 100, y: 100, wires: [[], [], []] }
  const flow = (portOfB: number) => [
    { id: 'tab', type: 'tab', label: 'Cell' },
    { id: 'a', type: 'vision-plc-handshake', name: 'Cell A', port },
    { id: 'b', type: 'vision-plc-handshake', name: 'Cell B', port: portOfB },
    { ...onTab, id: 'trigger a', type: 'vision-plc-trigger', handshake: 'a' },
    { ...onTab, id: 'trigger b', type: 'vision-plc-trigger', handshake: 'b' },
  ]
  const links = async () =>
    Promise.all(
      ['a', 'b'].map(async (id) => {
        const { port: listens, trouble = '' } = (await red.get(`/vision-devices/plc/${id}`)) as {
          port?: number
          trouble?: string
        }
        return { listens: listens !== undefined, trouble }
      }),
    )

  before(async () => {
    ;[port = 0] = await freePorts(1)
    red = await startNodeRed({ flows: flow(port) })
  })
  after(() => red.stop())

  it('are refused by a sentence that names both, and one of them works', async () => {
    await eventually(async () => {
      const both = await links()
      should(both.filter(({ listens }) => listens)).have.length(1)
      const [refused] = both.filter(({ listens }) => !listens)
      should(refused?.trouble).match(/Cell [AB] and Cell [AB] both listen on port \d+\. Give one/)
    })
    should(red.output()).match(/both listen on port/)
  })

  it('both work as soon as one has another port', async () => {
    const [other = 0] = await freePorts(1)
    await red.deploy(flow(other))
    await eventually(async () =>
      should(await links()).eql([
        { listens: true, trouble: '' },
        { listens: true, trouble: '' },
      ]),
    )
  })
})
