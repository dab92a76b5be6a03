import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { paletteNames } from '../support/dialog-source'
import { freePorts } from '../support/free-ports'
import { useEditor, type Editor } from '../support/editor'
import { Hand } from '../support/hand'

interface DialogEntries {
  /** What is picked from lists of the device, in order: labels and names. */
  picks?: Readonly<Record<string, string>>
  /** What is chosen in the selects of the dialog. */
  choices?: Readonly<Record<string, string>>
  /** Numbers and names, which cannot be picked. */
  numbers?: Readonly<Record<string, string>>
  /** The payload of the message that starts it, as JSON. */
  payload?: string
  /** Topic of that message. @default the name of the node */
  topic?: string
  /** The status of a node that works by itself. @default it sends the topic on */
  status?: RegExp
  /** Its work needs a page or a broker, which test/operator and test/fleet have: here it is set up and deployed. */
  placedOnly?: true
  /** The node that it is wired behind. @default its own inject node, and the debug node behind it */
  after?: string
}

const inPipeline = (node: string) => ({ Pipeline: '0', Node: node })

/** One task for every node of the palette. */
const works: Readonly<Record<string, DialogEntries>> = {
  acquire: { choices: { 'Done when': 'the depth period has passed (no proof)' } },
  backup: { choices: { 'Save to': 'the message only' } },
  'call-service': { picks: { ...inPipeline('dev_camera'), Service: 'reset_defaults' } },
  'cell-agent': { numbers: { Plant: 'north', Cell: 'cell-1' }, placedOnly: true },
  database: { choices: { Kind: 'load carrier', Action: 'read one, several or all' } },
  'device-request': { picks: { Operation: 'getSystem' } },
  'firmware-update': { choices: { Action: 'only check whether the device can be updated' } },
  fleet: { placedOnly: true },
  'get-parameter': { picks: { ...inPipeline('dev_camera'), Parameter: 'fps' } },
  'get-status': { picks: inPipeline('dev_camera') },
  'hand-eye-calibration': { numbers: { 'Grid width': '260', 'Grid height': '180' }, topic: 'status' },
  'image-receive': { status: /waiting for images|unreachable|\d Hz/ },
  'log-watch': { picks: { Log: 'api.log' }, status: /following|catching up/ },
  'operator-calibration': { placedOnly: true },
  'operator-devices': {},
  'operator-fleet': { placedOnly: true },
  'operator-panel': { placedOnly: true },
  'operator-permission': { placedOnly: true },
  pipeline: {},
  // The handshake here is one of Modbus, which it says.
  'plc-messages': { status: /invalid input/ },
  'plc-result': { after: 'plc-trigger' },
  'plc-trigger': { status: /ready|waiting for the PLC/ },
  recipes: { placedOnly: true },
  robot: { status: /not reachable|connecting/ },
  'robot-answer': { after: 'robot-request' },
  'robot-request': { status: /no robot/ },
  'robot-pose': { payload: '{"X":1,"Y":2,"Z":3,"A":4,"B":5,"C":6}' },
  'set-parameter': { picks: { ...inPipeline('dev_camera'), Parameter: 'fps' }, payload: '7' },
  'stream-destination': { picks: { Stream: 'pose' }, choices: { Action: 'list the destinations' } },
  'stream-receive': { picks: { Stream: 'imu' }, status: /\d Hz/ },
  system: {},
  'virtual-device': { numbers: { Port: '0' }, status: /ready|127\.0\.0\.1/ },
  // Its answer comes through trigger and result.
  'virtual-plc': {},
}

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

describe('every node', () => {
  const open = useEditor()
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
  })
  after(() => device.stop())

  const config = () => ({
    id: 'device',
    type: 'vision-device-config',
    name: 'Cell 1',
    address: device.url,
  })

  it('has a task here', () => {
    should(Object.keys(works).sort()).deepEqual([...paletteNames].sort())
  })

  it('is placed by hand, filled in from lists, deployed and run', async () => {
    const starts = paletteNames.map((name, row) => start(name, row))
    const [port, robotPort] = await freePorts(2)
    const handshake = { id: 'plc', type: 'vision-plc-handshake', name: 'Cell 1', port }
    const robots = { id: 'robots', type: 'vision-robot-connection', name: 'Robot 1', port: robotPort }
    const [robotAddress] = await freePorts(1)
    const robot = {
      id: 'robot',
      type: 'vision-robot-config',
      name: 'UR5e',
      host: '127.0.0.1',
      rtdePort: robotAddress,
    }
    const editor = await open([tab, config(), handshake, robots, robot, ...starts])
    // Each node has a row.
    await editor.page.setViewportSize({ width: 1400, height: at(paletteNames.length) + 200 })
    const hand = await new Hand(editor).begin()
    const shown = await hand.drop('debug', 700, 400)
    await hand.show('debug')
    const ids = new Map<string, string>()
    for (const [row, name] of paletteNames.entries()) {
      const work = works[name] ?? {}
      const id = await hand.drop(`vision-${name}`, 400, at(row))
      await hand.open(id)
      await fill(editor, work)
      await editor.close('Done')
      ids.set(name, id)
      if (work.status ?? work.after ?? work.placedOnly) continue
      await hand.wire(`start-${name}`, id)
      await hand.wire(id, shown)
    }
    for (const [name, { after }] of Object.entries(works))
      if (after) await hand.wire(ids.get(after) ?? '', ids.get(name) ?? '')
    await editor.screenshot('by-hand')
    await editor.deploy()
    for (const name of paletteNames) {
      const { topic = name, status, after, placedOnly } = works[name] ?? {}
      if (after ?? placedOnly) continue
      const said = editor.page.locator(`.red-ui-flow-node-group:has(.red-ui-flow-node-status-label)`)
      if (status) await said.filter({ hasText: status }).first().waitFor()
      else {
        await editor.page.locator(`[id="start-${name}"] .red-ui-flow-node-button-button`).click()
        const message = editor.page.locator('.red-ui-debug-msg', { hasText: `${topic} : msg` })
        await message.first().waitFor()
      }
    }
    await editor.screenshot('by-hand-run')
    const numbers = paletteNames.flatMap((name) => Object.values(works[name]?.numbers ?? {}))
    should((await hand.acts()).typed).deepEqual(numbers)
    editor.isAltered = true
  })
})

async function fill(editor: Editor, { choices = {}, picks = {}, numbers = {} }: DialogEntries) {
  for (const [label, choice] of Object.entries(choices)) await editor.field(label).selectOption(choice)
  for (const [label, name] of Object.entries(picks)) await editor.pick(label, name)
  for (const [label, number] of Object.entries(numbers)) await editor.field(label).fill(number)
}

/** Position of a node's row. */
const at = (row: number) => 30 + 34 * row

/** The inject node of a row. */
function start(name: string, row: number) {
  const { payload = '1', topic = name } = works[name] ?? {}
  return {
    ...{ id: `start-${name}`, type: 'inject', z: 'tab', x: 120, y: at(row), wires: [[]], name: '', topic },
    ...{ props: [{ p: 'payload' }, { p: 'topic', vt: 'str' }], payload, payloadType: 'json' },
    ...{ repeat: '', crontab: '', once: false, onceDelay: 0.1 },
  }
}
