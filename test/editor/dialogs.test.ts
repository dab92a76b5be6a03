import should from 'should'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/eventually'
import { dialogSource, nodeNames } from '../support/dialog-source'
import { useEditor } from '../support/editor'

const examples = join(__dirname, '..', '..', '..', 'examples')
const inPalette = nodeNames.filter((node) => node !== 'device-config')
const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
// Nothing listens there, so that a deployed flow finds no device.
const device = { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: '127.0.0.1:9' }

describe('edit dialogs in a browser', function () {
  this.timeout(30_000)
  const open = useEditor()

  it('are offered in a palette category of their own, with a sentence each', async () => {
    const editor = await open([tab])
    const category = editor.page
      .locator('#red-ui-palette-container-3D_vision, #red-ui-palette-3D_vision')
      .first()
    const labels = await category.locator('.red-ui-palette-label').allTextContents()
    labels
      .map((label) => label.replace(/\s+/g, ' ').replace(' - ', '-'))
      .sort()
      .should.deepEqual(
        inPalette.map((node) => dialogSource(node).texts[`${node}.paletteLabel`] ?? '').sort(),
      )
    await category.locator('.red-ui-palette-node', { hasText: 'get parameter' }).hover()
    await editor.page
      .locator('.red-ui-popover', { hasText: 'Reads one, several or all parameters' })
      .waitFor()
  })

  it('make a device and a node that reads from it, all by hand', async () => {
    const editor = await open([tab])
    await editor.place('get parameter')
    await editor.pressEnter(editor.page.getByRole('button', { name: 'Device: add a new one' }))
    await editor.page.locator('#node-config-dialog-edit-form').waitFor()
    await editor.field('Name').fill('Cell 1')
    await editor.field('Address').fill(' 127.0.0.1:9 ')
    await editor.field('Login').selectOption('user and password')
    await editor.field('User').fill('integrator')
    await editor.field('Password').fill('a secret')
    await editor.pressEnter(editor.page.locator('summary'))
    await editor.field('Health check').fill('2.5')
    await editor.button('Add').click()
    await editor.field('Node').fill('dev_camera')
    await editor.field('Parameter').fill('fps')
    await editor.close('Done')
    await editor.deploy()

    const [config, reader] = await editor.stored('vision-device-config', 'vision-get-parameter')
    withoutPlace(config).should.deepEqual({
      type: 'vision-device-config',
      name: 'Cell 1',
      address: '127.0.0.1:9',
      tls: '',
      login: 'password',
      format: 'json',
      deadline: 5,
      connectDeadline: 3,
      pace: 0,
      concurrency: 4,
      queue: 100,
      healthInterval: 2.5,
    })
    withoutPlace(reader).should.deepEqual({
      type: 'vision-get-parameter',
      name: '',
      device: config?.id,
      pipeline: '0',
      pipelineType: 'str',
      node: 'dev_camera',
      nodeType: 'str',
      which: 'one',
      parameter: 'fps',
      parameterType: 'str',
      output: 'value',
      property: 'payload',
      wires: [[]],
    })
    JSON.stringify(await editor.red.flows()).should.not.match(/a secret|integrator/)
  })

  it('write several parameters from the flow context', async () => {
    const editor = await open([tab, device])
    await editor.place('set parameter')
    await editor.field('Device').selectOption('Cell 1')
    await editor.field('Node').fill('dev_camera')
    await editor.field('Write').selectOption('several parameters at once')
    await editor.field('Parameter').waitFor({ state: 'hidden' })
    await editor.chooseKind('Value', 'flow.')
    await editor.field('Value').fill('recipe')
    await editor.close('Done')
    await editor.deploy()

    const [writer] = await editor.stored('vision-set-parameter')
    withoutPlace(writer).should.deepEqual({
      type: 'vision-set-parameter',
      name: '',
      device: 'device',
      pipeline: '0',
      pipelineType: 'str',
      node: 'dev_camera',
      nodeType: 'str',
      which: 'several',
      parameter: '',
      parameterType: 'str',
      value: 'recipe',
      valueType: 'flow',
      putsBack: true,
      wires: [[]],
    })
  })

  it('write parameters of several nodes from JSON, and keep it', async () => {
    const value = '{"dev_camera":{"fps":10},"dev_stereomatching":{"quality":"Full"}}'
    const place = { z: 'tab', x: 200, y: 100, wires: [[]] }
    const written = { type: 'vision-set-parameter', which: 'nodes', device: 'device', valueType: 'json' }
    const editor = await open([tab, device, { ...place, ...written, id: 'recipe', value }])
    await editor.edit('recipe')
    await editor.field('Node').waitFor({ state: 'hidden' })
    await eventually(async () => (await editor.field('Value').inputValue()).should.equal(value))
    await editor.field('Value').fill('{"fps":10}')
    await editor.field('Value').blur()
    await editor.reason('Value', 'Several nodes need an object each: { "dev_camera": { "fps": 10 } }.')
    await editor.field('Value').fill(value)
    await editor.field('Value').blur()
    await editor.reason('Value', '')
    await editor.close('Done')
    await editor.edit('recipe')
    ;(await editor.field('Value').inputValue()).should.equal(value)
    await editor.close('Done')
    await editor.deploy()
    const [recipe] = await editor.stored('vision-set-parameter')
    should(recipe).containEql({ which: 'nodes', value, valueType: 'json', putsBack: true })
  })

  it('give call-service a second output exactly while refusals go there', async () => {
    const editor = await open([tab, device])
    await editor.place('call service')
    await editor.field('Device').selectOption('Cell 1')
    await editor.field('Node').fill('dev_stereomatching')
    await editor.field('Service').fill('acquisition_trigger')
    await editor.field('If refused').selectOption('send the answer to a second output')
    await editor.field('Answer within').fill('12')
    await editor.close('Done')
    await editor.deploy()

    const [caller] = await editor.stored('vision-call-service')
    withoutPlace(caller).should.deepEqual({
      type: 'vision-call-service',
      name: '',
      device: 'device',
      pipeline: '0',
      pipelineType: 'str',
      node: 'dev_stereomatching',
      nodeType: 'str',
      service: 'acquisition_trigger',
      serviceType: 'str',
      args: '{}',
      argsType: 'json',
      startsModule: true,
      onRefusal: 'output',
      deadline: 12,
      outputs: 2,
      wires: [[], []],
    })

    await editor.edit(String(caller?.['id']))
    await editor.field('If refused').selectOption('end with the error REFUSED, for a Catch node')
    await editor.close('Done')
    await editor.deploy()
    const [changed] = await editor.stored('vision-call-service')
    changed?.should.have.properties({ onRefusal: 'error', outputs: 1, wires: [[]] })
  })

  it('set how a stream is received, and mind what makes a batch', async () => {
    const inFlow = (id: string, y: number) => ({
      id,
      type: `vision-${id}`,
      z: 'tab',
      x: 200,
      y,
      device: 'device',
    })
    const editor = await open([tab, device, inFlow('stream-receive', 60), inFlow('stream-destination', 120)])
    await editor.edit('stream-receive')
    await editor.field('Stream').fill('imu')
    await editor.field('Send').selectOption('in batches')
    await editor.field('At most').waitFor({ state: 'hidden' })
    await editor.field('Or every').fill('')
    await editor.reason('Or every', 'A value is missing.')
    await editor.field('Batch of').fill('100')
    await editor.reason('Or every', '')
    await editor.pressEnter(editor.page.locator('summary'))
    await editor.field('Port').fill('30000')
    await editor.field('Accept from').selectOption('the device and these hosts')
    await editor.field('Hosts').fill(' 192.168.0.20 ')
    await editor.close('Done')
    await editor.edit('stream-destination')
    await editor.field('Destination').fill('')
    await editor.field('Destination').blur()
    await editor.reason('Destination', 'A value is missing.')
    await editor.field('Do').selectOption('list the destinations')
    await editor.field('Destination').waitFor({ state: 'hidden' })
    await editor.close('Done')
    await editor.deploy()

    const [receiver, lister] = await editor.stored('vision-stream-receive', 'vision-stream-destination')
    withoutPlace(receiver).should.deepEqual({
      type: 'vision-stream-receive',
      name: '',
      device: 'device',
      stream: 'imu',
      streamType: 'str',
      output: 'batch',
      rate: 10,
      count: 100,
      seconds: '',
      statistics: 5,
      destination: 'keep',
      port: 30000,
      address: '',
      from: 'hosts',
      hosts: '192.168.0.20',
      wires: [[], []],
    })
    lister?.should.have.properties({ stream: 'pose', action: 'list', destination: '' })
  })

  it('keep the numbers of a virtual device as numbers', async () => {
    const editor = await open([tab])
    await editor.place('virtual device')
    await editor.field('Port').fill('0')
    await editor.field('Variant').selectOption('multi: up to four pipelines')
    await editor.field('Node prefix').fill('xy_')
    await editor.field('Scenario').fill('{ "latency_ms": 20 }')
    await editor.close('Done')
    await editor.deploy()

    const [virtual] = await editor.stored('vision-virtual-device')
    withoutPlace(virtual).should.deepEqual({
      type: 'vision-virtual-device',
      name: '',
      port: 0,
      host: '127.0.0.1',
      variant: 'multi',
      nodePrefix: 'xy_',
      stateFolder: '',
      seed: 1,
      serial: '',
      scenario: '{ "latency_ms": 20 }',
      wires: [[]],
    })
  })

  it('say at the field what is missing, out of range or unreadable', async () => {
    const editor = await open([
      tab,
      device,
      { id: 'v', type: 'vision-virtual-device', z: 'tab', x: 200, y: 100, port: 0 },
    ])
    await editor.edit('v')
    await editor.field('Port').fill('70000')
    await editor.reason('Port', 'This must be from 0 to 65535.')
    await editor.field('Port').fill('1.5')
    await editor.reason('Port', 'This must be a whole number.')
    await editor.field('Port').fill('${PORT}')
    await editor.reason('Port', '')
    await editor.field('Node prefix').fill('a/b')
    await editor.reason('Node prefix', 'Only letters, digits and _ are possible.')
    await editor.field('Scenario').fill('[]')
    await editor.field('Scenario').blur()
    await editor.reason('Scenario', 'This must be a JSON object, for example { "fps": 10 }.')
    await editor.close('Done')
    const marked = () => editor.page.evaluate<string[]>("RED.nodes.node('v').validationErrors")
    ;(await marked()).should.deepEqual([
      'Node prefix: Only letters, digits and _ are possible.',
      'Scenario: This must be a JSON object, for example { "fps": 10 }.',
    ])
  })

  it('know an address from what is none', async () => {
    const editor = await open([tab, device])
    const judged = await editor.page.evaluate<string[]>(`
      ['192.168.0.10', 'vision.local:8080', 'https://gateway/cell1', '\${HOST}:8080', 'http://\${HOST}/\${CELL}',
       '', 'ftp://x', 'a b', 'http://me:pw@host', 'http://host/api/v2', 'host?x=1', 'http://']
        .map((text) => visionDialogs.checks.address('address').reason(RED.nodes.node('device'), text) ?? 'fine')
    `)
    judged.slice(0, 5).should.deepEqual(Array(5).fill('fine'))
    judged[5]?.should.equal('A value is missing.')
    judged[6]?.should.match(/no address/)
    judged[7]?.should.match(/no address/)
    judged[8]?.should.match(/user and password out of the address/)
    judged[9]?.should.match(/Leave \/api/)
    judged[10]?.should.match(/Leave \/api/)
    judged[11]?.should.match(/no address/)
  })

  it('show the fields of the chosen login alone and forget the other one', async () => {
    const editor = await open([
      tab,
      { ...device, login: 'password', credentials: { user: 'integrator', password: 'a secret' } },
    ])
    await editor.edit('device')
    await editor.field('User').fill('')
    await editor.reason('User', 'A value is missing.')
    await editor.field('Token').waitFor({ state: 'hidden' })
    await editor.field('Login').selectOption('token')
    await editor.field('User').waitFor({ state: 'hidden' })
    await editor.field('Token').fill('another secret')
    await editor.close('Update')
    await editor.deploy()
    const kept = (await editor.red.get('/credentials/vision-device-config/device')) as object
    kept.should.deepEqual({ user: '', has_password: false, has_token: true })
  })

  it('find nothing wrong with the examples', async () => {
    const editor = await open([tab])
    const files = readdirSync(examples).filter((file) => file.endsWith('.json'))
    files.should.not.be.empty()
    for (const file of files) {
      const errors = await editor.page.evaluate<string[][]>(`
        RED.nodes.import(${readFileSync(join(examples, file), 'utf8')}, { generateIds: true }).nodes
          .filter((node) => node.type.startsWith('vision-'))
          .map((node) => (RED.editor.validateNode(node), node.validationErrors))
      `)
      errors.length.should.be.above(0, file)
      errors.flat().should.deepEqual([], file)
    }
  })
})

/** What a node is made of, without where it lies. */
function withoutPlace(node: Record<string, unknown> = {}) {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !['id', 'x', 'y', 'z'].includes(key)))
}
