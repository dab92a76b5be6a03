import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'
import { eventually } from '../support/eventually'
import { closedAddress } from '../support/misbehaving-server'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const inject = {
  ...{ id: 'go', type: 'inject', z: 'tab', x: 100, y: 100, props: [{ p: 'payload' }], wires: [['n']] },
  ...{
    name: '',
    repeat: '',
    crontab: '',
    once: false,
    onceDelay: 0.1,
    topic: '',
    payload: '',
    payloadType: 'str',
  },
}
const inTab = { id: 'n', z: 'tab', x: 300, y: 100, wires: [[]], device: 'device' }

describe('forms in the dialogs', () => {
  const open = useEditor()
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, variant: 'multi' })
  })
  after(() => device.stop())

  const config = (address = device.url) => ({
    id: 'device',
    type: 'vision-device-config',
    name: 'Cell 1',
    address,
  })
  const withWriter = (fields: object, message: object = {}) =>
    open([tab, config(), { ...inject, ...message }, { ...inTab, type: 'vision-set-parameter', ...fields }])
  const withCaller = (fields: object) =>
    open([tab, config(), inject, { ...inTab, type: 'vision-call-service', ...fields }])
  const parameter = (name: string, node = 'dev_camera') => device.parameter(node, name)

  it('of one parameter fit its type, start with the present value and show what is out of range', async () => {
    const editor = await withWriter({ node: 'dev_camera' })
    await editor.edit('n')
    await editor.pick('Parameter', 'fps')
    await present(editor, 'Now 25 Hz; 1 to 25 Hz; default 25 Hz')
    await editor.chooseKind('Value', 'number')
    should(await editor.field('Value').inputValue()).equal('25')
    await editor.field('Value').fill('99')
    await editor.field('Value').blur()
    await editor.reason('Value', 'This must be from 1 to 25 Hz.')
    await editor.picture('parameter', editor.dialog)
    await editor.field('Value').fill('12')
    await editor.field('Value').blur()
    await editor.reason('Value', '')
    await editor.pick('Parameter', 'exp_auto')
    await present(editor, 'Now true; default true')
    await editor.reason('Value', 'Wrong type. Expected: on or off')
    await editor.chooseKind('Value', 'on or off')
    const toggle = editor.page.getByRole('switch', { name: 'Value' })
    should(await toggle.isChecked()).be.true()
    await toggle.press(' ')
    await editor.screenshot('parameter-switch')
    ;(await editor.unreachable()).should.deepEqual([])
    await editor.close('Done')
    await run(editor)
    await eventually(() => should(parameter('exp_auto')).equal(false))

    await editor.edit('n')
    should(await editor.page.getByRole('switch', { name: 'Value' }).isChecked()).be.false()
    await editor.pick('Node', 'dev_stereomatching')
    await editor.pick('Parameter', 'quality')
    await present(editor, 'Now High; default High')
    await editor.chooseKind('Value', 'choice')
    await editor.field('Value').selectOption('Low')
    await editor.screenshot('parameter-choice')
    await editor.close('Done')
    const [stored] = await run(editor)
    should(stored).match({ parameter: 'quality', value: 'Low', valueType: 'str' })
    await eventually(() => should(parameter('quality', 'dev_stereomatching')).equal('Low'))
  })

  it("start with the device's value if a parameter has choices, unless somebody has set a value", async () => {
    const editor = await withWriter({ node: 'dev_stereomatching' })
    await editor.edit('n')
    await editor.pick('Parameter', 'quality')
    const quality = String(parameter('quality', 'dev_stereomatching'))
    await eventually(async () => should(await editor.field('Value').inputValue()).equal(quality))
    await editor.pick('Parameter', 'static_scene')
    const toggle = editor.page.getByRole('switch', { name: 'Value' })
    await toggle.waitFor()
    should(await toggle.isChecked()).equal(parameter('static_scene', 'dev_stereomatching'))
    await editor.pick('Parameter', 'maxdepth')
    await eventually(async () => should(await editor.field('Value').inputValue()).equal('payload'))
    await editor.field('Value').fill('payload.scene')
    await editor.pick('Parameter', 'quality')
    await present(editor, `Now ${quality}`)
    should(await editor.field('Value').inputValue()).equal('payload.scene')
    await editor.close('Cancel')
  })

  it('keep a value from the message when another parameter is chosen', async () => {
    const stored = { parameter: 'fps', value: 'payload', valueType: 'msg' }
    const editor = await withWriter({ node: 'dev_camera', ...stored })
    await editor.edit('n')
    await present(editor, 'Now')
    await editor.pick('Parameter', 'exp_auto')
    await present(editor, 'default true')
    should(await editor.field('Value').inputValue()).equal('payload')
    await editor.close('Cancel')
  })

  it('of several parameters are a table, whose values may come from other sources', async () => {
    const message = { payload: '{"rate":8}', payloadType: 'json' }
    const editor = await withWriter({ node: 'dev_camera' }, message)
    await editor.edit('n')
    await editor.field('Write').selectOption('several parameters at once')
    const add = editor.page.getByRole('button', { name: 'Add a parameter' })
    await add.click()
    await editor.pick('Name 1', 'exp_auto')
    await editor.page.getByRole('switch', { name: 'exp_auto' }).setChecked(true)
    await add.click()
    await editor.pick('Name 2', 'fps')
    should(await editor.field('fps').inputValue()).equal('25')
    await editor.field('fps').fill('0')
    await editor.field('fps').blur()
    await editor.page.getByText('This must be from 1 to 25 Hz.', { exact: true }).waitFor()
    await editor.screenshot('parameter-table')
    await editor.chooseKind('fps', 'msg.')
    await editor.field('fps').fill('payload.rate')
    await add.click()
    await editor.pick('Name 3', 'exp_max')
    await editor.page.getByRole('button', { name: 'Name 3: remove' }).click()
    ;(await editor.unreachable()).should.deepEqual([])
    await editor.close('Done')
    const [stored] = await run(editor)
    should(stored).match({
      which: 'several',
      value: '{"exp_auto":true,"fps":{"$msg":"payload.rate","as":"float64"}}',
      valueType: 'form',
    })
    const label = await editor.page.evaluate("RED.utils.getNodeLabel(RED.nodes.node('n'))")
    should(label).equal('dev_camera = exp_auto, fps')
    await eventually(() => should(parameter('fps')).equal(8))
    should(parameter('exp_auto')).equal(true)
  })

  it('of a service follow its arguments, stay in sync with JSON, and call what was filled in', async () => {
    const editor = await withCaller({ pipeline: '', onRefusal: 'error' })
    await editor.edit('n')
    await editor.pick('Node', 'dev_roi_db')
    await editor.pick('Service', 'set_region_of_interest')
    const at = (path: string) => editor.field(`region_of_interest.${path}`)
    await at('id').fill('bin')
    await at('type').fill('BOX')
    await at('pose_frame').fill('camera')
    for (const side of ['x', 'y', 'z']) await at(`box.${side}`).fill('0.5')
    await editor.page.getByRole('button', { name: 'region_of_interest.pose: show or hide parts' }).click()
    for (const axis of ['x', 'y', 'z']) await at(`pose.position.${axis}`).fill('0')
    await editor.field('Service').scrollIntoViewIfNeeded()
    await editor.picture('service-form', editor.dialog)
    await editor.page.locator('summary', { hasText: 'The same as JSON' }).click()
    const json = editor.field('The same as JSON')
    const shown = JSON.parse(await json.inputValue()) as { region_of_interest: { pose: object } }
    should(shown.region_of_interest).match({ id: 'bin', box: { x: 0.5, y: 0.5, z: 0.5 } })
    Object.assign(shown.region_of_interest.pose, { orientation: { w: 1, x: 0, y: 0, z: 0 } })
    await json.fill(JSON.stringify(shown))
    should(await at('pose.orientation.w').inputValue()).equal('1')
    await editor.chooseKind('region_of_interest.id', 'msg.')
    await at('id').fill('topic')
    ;(await editor.unreachable()).should.deepEqual([])
    await editor.page.getByRole('button', { name: 'Try it now' }).click()
    await answered(editor, /fixed value for: region_of_interest.id/)
    await editor.chooseKind('region_of_interest.id', 'string')
    should(await at('id').inputValue()).equal('bin')
    await editor.close('Done')
    const [stored] = await run(editor, 'vision-call-service')
    should(stored).have.property('argsType', 'json')
    await eventually(() =>
      device
        .calls()
        .map(({ operation }) => operation)
        .should.containEql('callGlobalService'),
    )

    await editor.edit('n')
    await editor.pick('Service', 'get_regions_of_interest')
    await editor.page.getByRole('button', { name: 'Add to region_of_interest_ids' }).click()
    should(await editor.page.getByText('The device does not list this field.').count()).equal(0)
    await editor.field('region_of_interest_ids[1]').fill('bin')
    await editor.field('region_of_interest_ids[1]').blur()
    await editor.page.getByRole('button', { name: 'Try it now' }).click()
    await answered(editor, /Done, answered after \d+ ms/)
    should(await editor.page.locator('.vision-try-answer').textContent()).match(/"type": "BOX"/)
    await editor.screenshot('service-tried')
    await editor.close('Cancel')
  })

  it('keep what was stored by hand, whatever else is changed', async () => {
    const args = { region_of_interest: { id: '', box: {}, extra: [] }, other: null }
    const editor = await withCaller({
      pipeline: '',
      node: 'dev_roi_db',
      service: 'set_region_of_interest',
      args: JSON.stringify(args),
    })
    await editor.edit('n')
    await editor.page.getByText('The device does not list this field.').first().waitFor()
    await editor.field('region_of_interest.type').fill('BOX')
    await editor.close('Done')
    await editor.deploy()
    const [stored] = await editor.stored('vision-call-service')
    should(JSON.parse(String(stored?.['args']))).deepEqual({
      ...args,
      region_of_interest: { ...args.region_of_interest, type: 'BOX' },
    })
  })

  it('try a service only after a confirmation if it may change something', async () => {
    const editor = await withCaller({ node: 'dev_camera', service: 'reset_defaults' })
    const resets = () => device.calls().filter(({ operation }) => operation === 'callService').length
    const before = resets()
    await editor.edit('n')
    await editor.page.getByText('This service takes no arguments.').waitFor()
    const tryIt = editor.page.getByRole('button', { name: 'Try it now' })
    await tryIt.click()
    const question = editor.page.getByRole('group', {
      name: 'This calls reset_defaults on the device immediately. It may move or change something.',
    })
    const cancel = question.getByRole('button', { name: 'Cancel' })
    await cancel.and(editor.page.locator(':focus')).waitFor()
    await editor.screenshot('service-question')
    for (const key of ['Enter', 'Escape']) {
      await cancel.press(key)
      await question.waitFor({ state: 'detached' })
      await tryIt.and(editor.page.locator(':focus')).waitFor()
      resets().should.equal(before)
      await tryIt.click()
    }
    await question.getByRole('button', { name: 'Call it' }).click()
    await answered(editor, /Done/)
    resets().should.equal(before + 1)
    should(parameter('fps')).equal(25)
    await editor.close('Cancel')
  })

  it('accept names and values by hand without a device', async () => {
    const editor = await open([
      tab,
      config(await closedAddress()),
      {
        ...inTab,
        type: 'vision-call-service',
        args: '{"slot": 3, "pose": {"$msg": "pose"}}',
        argsType: 'form',
      },
    ])
    await editor.edit('n')
    should(await editor.field('Name 1').inputValue()).equal('slot')
    should(await editor.field('slot').inputValue()).equal('3')
    should(await editor.field('pose').inputValue()).equal('pose')
    await editor.page.getByRole('button', { name: 'Add a field' }).click()
    await editor.field('Name 3').fill('mounted')
    await editor.field('Name 3').blur()
    await editor.chooseKind('mounted', 'boolean')
    await editor.close('Done')
    await editor.deploy()
    const [stored] = await editor.stored('vision-call-service')
    should(stored).match({ args: '{"slot":3,"pose":{"$msg":"pose"},"mounted":true}', argsType: 'form' })
  })
})

const present = (editor: Editor, text: string) =>
  editor.page.locator('[data-present] div', { hasText: text }).waitFor()

const answered = (editor: Editor, text: RegExp) =>
  editor.page.locator('.vision-answer', { hasText: text }).waitFor()

/** Deploys and presses the button in the flow. */
async function run(editor: Editor, type = 'vision-set-parameter') {
  await editor.deploy()
  // HTTP answers before the nodes of the flows have started.
  await eventually(async () => {
    const { ok } = await fetch(`${editor.red.url}/inject/go`, { method: 'POST' })
    ok.should.be.true()
  })
  return editor.stored(type)
}
