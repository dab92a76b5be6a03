import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { dashboardPackage, login } from './support/dashboard'
import { sendPackets } from './support/raw-socket'
import { dashboardOf, widget } from './support/widgets'

// What anybody on the network can send to Dashboard's socket, without a page and without a login.

const at = { z: 'tab', x: 0, y: 0 }
const { username, password } = login
const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
const home = '480.3, -288.1, 394.8, -1.5985, 2.6948, -0.0144'
/** 20 mm beside it. */
const target = [480.3, -268.1, 394.8, -1.5985, 2.6948, -0.0144]

/** A cell whose widgets are wired straight to what moves, changes and deletes, as nobody should wire them. */
const cellOf = (device: VirtualDevice, base: object): object[] => {
  const { rtde, primary, dashboard } = device.ports['arm']?.parts ?? {}
  const inject = { ...at, type: 'inject', repeat: '', once: false }
  return [
    { id: 'tab', type: 'tab', label: 'strangers' },
    { id: 'device', type: 'vision-device-config', name: '', address: device.url },
    {
      ...{ id: 'robot', type: 'vision-robot-config', kind: 'universal-robots', host: '127.0.0.1' },
      ...{ poseFormat: 'universal-robots-pendant', mayMove: true, speed: 50, acceleration: 200, step: 300 },
      ...{ turn: 40, home, rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard, register: 24 },
    },
    ...dashboardOf('strangers').map((node) => (node.type === 'ui-base' ? { ...node, ...base } : node)),
    {
      ...inject,
      id: 'go',
      props: [{ p: 'payload' }],
      payload: target,
      payloadType: 'str',
      wires: [['move']],
    },
    {
      ...{ ...inject, id: 'yes', topic: 'confirm', wires: [['move']] },
      props: [
        { p: 'topic', vt: 'str' },
        { p: 'request', v: 'question', vt: 'flow' },
      ],
    },
    { ...at, id: 'link', type: 'link in', wires: [['move']] },
    { ...at, id: 'function', type: 'function', func: 'return msg', outputs: 1, wires: [['move', 'set']] },
    widget('button', 'button', { wires: [['move', 'set', 'products']] }),
    widget('template', 'template', {
      format: '<p/>',
      templateScope: 'local',
      wires: [['move', 'set', 'products']],
    }),
    widget('slider', 'slider', { min: 1, max: 20, step: 1, wires: [['set']] }),
    { ...at, id: 'opened', type: 'ui-event', ui: 'ui', wires: [['products', 'move', 'set']] },
    {
      ...{ ...at, id: 'move', type: 'vision-robot', robot: 'robot', action: 'move', confirm: 'none' },
      ...{ poses: 'payload', posesType: 'msg', outputs: 2, wires: [['seen'], ['asked']] },
    },
    {
      ...{ ...at, id: 'set', type: 'vision-set-parameter', device: 'device', node: 'dev_camera' },
      ...{ parameter: 'fps', value: 'payload', valueType: 'msg', wires: [['seen']] },
    },
    {
      ...{ ...at, id: 'products', type: 'vision-recipes', device: 'device', wires: [['called'], ['table']] },
      columns: '{"dev_camera.fps":"Rate"}',
      products: JSON.stringify(
        [3, 4].map((job) => ({
          job,
          name: `product ${job}`,
          region: '',
          gripper: '',
          values: { 'dev_camera.fps': job },
        })),
      ),
    },
    {
      ...{ ...at, id: 'called', type: 'function', outputs: 1, wires: [[]] },
      func: 'node.warn(`called ${msg.recipe.job}`)',
    },
    {
      ...{ ...at, id: 'table', type: 'function', outputs: 1, wires: [[]] },
      func: 'node.warn(`jobs ${msg.payload.recipes.map(({ job }) => job)}`)',
    },
    {
      ...{ ...at, id: 'asked', type: 'function', outputs: 1, wires: [[]] },
      func: 'if (msg.payload.request) flow.set("question", msg.payload.request)',
    },
    { ...at, id: 'seen', type: 'function', func: 'node.warn("acted")', outputs: 1, wires: [[]] },
    { ...inject, id: 'look', props: [{ p: 'topic', vt: 'str' }], topic: '$pageview', wires: [['products']] },
    { ...inject, id: 'order', props: [{ p: 'topic', vt: 'str' }], topic: 'delete', wires: [['products']] },
    {
      ...inject,
      id: 'set fps',
      props: [{ p: 'payload' }],
      payload: '6',
      payloadType: 'num',
      wires: [['set']],
    },
  ]
}

const removal = { topic: 'delete', payload: { by: '', revision: 0, was: 3 } }
/** What would do harm, whatever receives it. */
const messages = [
  removal,
  { payload: { job: 4 } },
  { payload: target, topic: '' },
  { payload: 9 },
  { topic: 'confirm', payload: true },
  [[{ payload: target }], { payload: 9 }],
  { payload: target, _client: undefined },
  { payload: target, _client: { socketId: 'x', isLoggedIn: true, isPermitted: true } },
  { visible: true, enabled: true },
]
const ids = [
  'go',
  'link',
  'function',
  'move',
  'set',
  'products',
  'device',
  'robot',
  'tab',
  'ui',
  'look',
  'set fps',
]
const widgets = ['button', 'template', 'slider', 'opened']
/** Ids that name nothing; as `widget-load`, each of the first terminated Node-RED. */
const odd = [
  7,
  true,
  {},
  [],
  [['x']],
  { startsWith: 1 },
  null,
  1e999,
  '',
  '__proto__',
  'constructor',
  'all',
  'no-such-node',
]

const events = [
  'widget-action',
  'widget-change',
  'widget-send',
  'ui-event',
  'ui-control',
  'widget-sync-state',
]

const everything = (some: readonly unknown[]): unknown[][] => [
  ...some.flatMap((id) => events.flatMap((event) => messages.map((message) => [event, id, message]))),
  ...[...some, ...odd].flatMap((id) => [
    ['widget-load', id],
    ['widget-load', id, { payload: 1 }, 'x'],
  ]),
  ...odd.flatMap((id) => events.map((event) => [event, id, { payload: target }])),
  ...events.flatMap((event) => [[event], [event, undefined], [event, null, null, null]]),
  [7, 'button', {}],
  ['unknown-event', { a: 1 }],
]

function useCell(settings: object, base: object = {}) {
  let device: VirtualDevice
  let red: NodeRed
  before(async () => {
    device = await startVirtualDevice({ port: 0, arm: 'ur5e', armPort: 0 })
    red = await startNodeRed({ ...dashboardPackage, settings: { ...settings } })
    await red.deploy(cellOf(device, base))
    await eventually(async () => {
      const { ok } = await fetch(`${red.url}/dashboard/socket.io/?EIO=4&transport=polling`)
      if (!ok) throw new Error('no Dashboard yet')
    })
  })
  after(async () => {
    await red.stop()
    await device.stop()
  })

  const arm = async () =>
    (await (await fetch(`${device.url}/virtual/arm`)).json()) as {
      motions: number
      moves: boolean
      flange: object
    }
  const press = async (id: string) =>
    should((await fetch(`${red.url}/inject/${encodeURIComponent(id)}`, { method: 'POST' })).status).equal(200)
  /** Whether Node-RED has printed that, since its output had this length. */
  const hasSaid = (text: RegExp, since: number) => text.test(red.output().slice(since))
  const fps = async () => {
    const answer = await fetch(`${device.url}/api/v2/pipelines/0/nodes/dev_camera/parameters/fps`)
    return ((await answer.json()) as { value: number }).value
  }
  return {
    red: () => red,
    ...{ press, arm, fps, hasSaid },
    dashboard: () => `${red.url}/dashboard`,
    /** Everything is as before, and nothing has come out of a node that acts. */
    isUntouched: async (since: number) => {
      await press('look')
      await eventually(() => hasSaid(/jobs 3,4\n/, since).should.be.true())
      should(await arm()).containEql({ motions: 0, moves: false })
      should(await fps()).equal(25)
      hasSaid(/called \d|acted/, since).should.be.false()
    },
    cookie: async () => {
      const answer = await fetch(`${red.url}/dashboard/_setup`, { headers: { authorization } })
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    },
  }
}

for (const [where, base] of [
  ['', {}],
  [' and pages that tell nothing of their clients', { includeClientData: false }],
] as const)
  describe(`strangers at the socket of a Node-RED without a login${where}`, function () {
    this.timeout(120_000)
    const cell = useCell({}, base)

    it('reach no node that is not a widget, and terminate nothing', async () => {
      const since = cell.red().output().length
      should(await sendPackets(cell.dashboard(), everything(ids))).be.true()
      await cell.isUntouched(since)
      cell.hasSaid(/Dashboard's socket: \d+ refused/, since).should.be.true()
      cell.hasSaid(/FORBIDDEN|Nothing was/, since).should.be.false()
    })

    it('change nothing through a widget, however it is wired', async () => {
      const since = cell.red().output().length
      await sendPackets(cell.dashboard(), everything(widgets).reverse())
      await eventually(() => {
        for (const node of ['robot:move', 'set-parameter:set', 'recipes:products'])
          cell
            .hasSaid(
              new RegExp(`vision-${node}\\].*Nothing was done, because the message comes from a page`),
              since,
            )
            .should.be.true()
      })
      await cell.isUntouched(since)
    })

    it('leave the flow to those who may', async () => {
      const since = cell.red().output().length
      await cell.press('order')
      await eventually(
        () => void cell.hasSaid(/recipes:products\].*this order has not passed/, since).should.be.true(),
      )
      await cell.isUntouched(since)
      await cell.press('set fps')
      await eventually(async () => should(await cell.fps()).equal(6))
      await cell.press('go')
      // The first motion asks whether the pose is the one on the pendant.
      await eventually(async () => {
        await cell.press('yes')
        should((await cell.arm()).motions).be.above(0)
      })
    })
  })

describe('strangers at the socket of a Node-RED with a login', function () {
  this.timeout(120_000)
  const cell = useCell(login.settings)

  it('are not let in, and reach nothing at all', async () => {
    const since = cell.red().output().length
    for (const cookie of ['', 'vision-operator-000000000000=0', (await cell.cookie()).slice(0, -1)])
      should(await sendPackets(cell.dashboard(), everything([...widgets, ...ids]), cookie)).be.false()
    await cell.isUntouched(since)
    cell.hasSaid(/Nothing was/, since).should.be.false()
  })

  it('are told apart from a page that was opened with the login, which still needs operator permission', async () => {
    const since = cell.red().output().length
    const packets = ['button', 'opened'].flatMap((id) => [
      ['widget-send', id, removal],
      ['ui-event', id, removal],
    ])
    should(await sendPackets(cell.dashboard(), packets, await cell.cookie())).be.true()
    await eventually(() => void cell.hasSaid(/comes from a page of Dashboard/, since).should.be.true())
    await cell.isUntouched(since)
  })
})
