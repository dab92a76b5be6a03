import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { sharedNodeRed } from '../support/shared-node-red'

/** Nodes of one device, with the usual image port in the settings; in a test no device gets it. */
const cell = (name: string, port: number) => [
  { id: `${name}-virtual`, type: 'vision-virtual-device', z: 'tab', x: 100, y: 100, port, wires: [[]] },
  {
    id: `${name}-device`,
    type: 'vision-device-config',
    name,
    address: `localhost:${port}`,
    healthInterval: 0.2,
  },
  {
    ...{ id: `${name}-go`, type: 'inject', z: 'tab', x: 100, y: 200, props: [], wires: [[`${name}-take`]] },
  },
  {
    ...{ id: `${name}-take`, type: 'vision-acquire', z: 'tab', x: 300, y: 200, device: `${name}-device` },
    ...{ node: 'dev_stereomatching', left: 'none', wires: [[`${name}-taken`], []] },
  },
  {
    ...{
      id: `${name}-live`,
      type: 'vision-image-receive',
      z: 'tab',
      x: 300,
      y: 300,
      device: `${name}-device`,
    },
    ...{ left: 'none', depth: 'millimetres', starts: 'deploy', wires: [[`${name}-seen`], []] },
  },
  debug(`${name}-taken`, `${name} took it`),
  debug(`${name}-seen`, `${name} sees it`),
]

const debug = (id: string, name: string) => ({
  ...{ id, type: 'debug', name, z: 'tab', x: 500, y: 200, active: true, console: true, tosidebar: false },
  ...{ complete: 'vision.text', targetType: 'msg', wires: [] },
})

describe('virtual devices whose images are not on the usual port', function () {
  this.timeout(120_000)

  it('are found in the same Node-RED, each its own, by nodes that start with them', async () => {
    const [one = 0, other = 0] = await freePorts(2)
    const red = await sharedNodeRed({})
    const from = red.output().length
    const said = (text: RegExp) => eventually(() => void red.output().slice(from).should.match(text))
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'test' },
      ...cell('one', one),
      ...cell('other', other),
    ])
    try {
      for (const name of ['one', 'other']) {
        // Continuous at first: the stream that began with the deploy gets depth without a trigger.
        await said(new RegExp(`debug:${name} sees it`))
        await fetch(`${red.url}/inject/${name}-go`, { method: 'POST' })
        await said(new RegExp(`debug:${name} took it`))
      }
    } finally {
      await red.deploy([])
    }
  })
})
