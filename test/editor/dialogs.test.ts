import 'should'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { openEditor, startBrowser } from '../support/browser'
import { startNodeRed, type NodeRed } from '../support/node-red'

const examples = join(__dirname, '..', '..', '..', 'examples')
const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
// Nothing listens there, so that a deployed flow finds no device.
const device = { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: '127.0.0.1:9' }

describe('edit dialogs in a browser', function () {
  this.timeout(30_000)
  let red: NodeRed | undefined
  let browser: Browser | undefined
  let context: BrowserContext | undefined
  let page: Page
  const complaints: string[] = []

  before(async function () {
    browser = await startBrowser()
    if (!browser) return this.skip()
    context = await browser.newContext({ locale: 'en-US', viewport: { width: 1400, height: 1000 } })
    red = await startNodeRed()
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })
  afterEach(async () => {
    await page.close()
    complaints.splice(0).should.deepEqual([])
  })

  it('are offered in a palette category of their own, with a sentence each', async () => {
    await open([tab])
    const category = page.locator('#red-ui-palette-container-3D_vision, #red-ui-palette-3D_vision').first()
    const labels = await category.locator('.red-ui-palette-label').allTextContents()
    labels
      .map((label) => label.replace(/\s+/g, ' '))
      .sort()
      .should.deepEqual(['call service', 'get parameter', 'set parameter', 'virtual device'])
    await category.locator('.red-ui-palette-node', { hasText: 'get parameter' }).hover()
    await page.locator('.red-ui-popover', { hasText: 'Reads one, several or all parameters' }).waitFor()
  })

  it('make a device and a node that reads from it, all by hand', async () => {
    await open([tab])
    await place('get parameter')
    await pressEnter(page.getByRole('button', { name: 'Device: add a new one' }))
    await page.locator('#node-config-dialog-edit-form').waitFor()
    await field('Name').fill('Cell 1')
    await field('Address').fill(' 127.0.0.1:9 ')
    await field('Login').selectOption('user and password')
    await field('User').fill('integrator')
    await field('Password').fill('a secret')
    await pressEnter(page.locator('summary'))
    await field('Health check').fill('2.5')
    await button('Add').click()
    await field('Node').fill('dev_camera')
    await field('Parameter').fill('fps')
    await done()
    await deploy()

    const [config, reader] = await stored('vision-device-config', 'vision-get-parameter')
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
    JSON.stringify(await running().flows()).should.not.match(/a secret|integrator/)
  })

  it('write several parameters from the flow context', async () => {
    await open([tab, device])
    await place('set parameter')
    await field('Device').selectOption('Cell 1')
    await field('Node').fill('dev_camera')
    await field('Write').selectOption('several parameters at once')
    await field('Parameter').waitFor({ state: 'hidden' })
    await chooseKind('Value', 'flow.')
    await field('Value').fill('recipe')
    await done()
    await deploy()

    const [writer] = await stored('vision-set-parameter')
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
      wires: [[]],
    })
  })

  it('give call-service a second output exactly while refusals go there', async () => {
    await open([tab, device])
    await place('call service')
    await field('Device').selectOption('Cell 1')
    await field('Node').fill('dev_stereomatching')
    await field('Service').fill('acquisition_trigger')
    await field('If refused').selectOption('send the answer to a second output')
    await field('Answer within').fill('12')
    await done()
    await deploy()

    const [caller] = await stored('vision-call-service')
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
      onRefusal: 'output',
      deadline: 12,
      outputs: 2,
      wires: [[], []],
    })

    await edit(String(caller?.['id']))
    await field('If refused').selectOption('end with the error REFUSED, for a Catch node')
    await done()
    await deploy()
    const [changed] = await stored('vision-call-service')
    changed?.should.have.properties({ onRefusal: 'error', outputs: 1, wires: [[]] })
  })

  it('keep the numbers of a virtual device as numbers', async () => {
    await open([tab])
    await place('virtual device')
    await field('Port').fill('0')
    await field('Variant').selectOption('multi: up to four pipelines')
    await field('Node prefix').fill('xy_')
    await field('Scenario').fill('{ "latency_ms": 20 }')
    await done()
    await deploy()

    const [virtual] = await stored('vision-virtual-device')
    withoutPlace(virtual).should.deepEqual({
      type: 'vision-virtual-device',
      name: '',
      port: 0,
      host: '127.0.0.1',
      variant: 'multi',
      nodePrefix: 'xy_',
      stateFolder: '',
      seed: 1,
      scenario: '{ "latency_ms": 20 }',
      wires: [[]],
    })
  })

  it('say at the field what is missing, out of range or unreadable', async () => {
    await open([tab, device, { id: 'v', type: 'vision-virtual-device', z: 'tab', x: 200, y: 100, port: 0 }])
    await edit('v')
    await field('Port').fill('70000')
    await reason('Port', 'This must be from 0 to 65535.')
    await field('Port').fill('1.5')
    await reason('Port', 'This must be a whole number.')
    await field('Port').fill('${PORT}')
    await reason('Port', '')
    await field('Node prefix').fill('a/b')
    await reason('Node prefix', 'Only letters, digits and _ are possible.')
    await field('Scenario').fill('[]')
    await field('Scenario').blur()
    await reason('Scenario', 'This must be a JSON object, for example { "fps": 10 }.')
    await done()
    const marked = () => page.evaluate<string[]>("RED.nodes.node('v').validationErrors")
    ;(await marked()).should.deepEqual([
      'Node prefix: Only letters, digits and _ are possible.',
      'Scenario: This must be a JSON object, for example { "fps": 10 }.',
    ])
  })

  it('know an address from what is none', async () => {
    await open([tab, device])
    const judged = await page.evaluate<string[]>(`
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
    await open([
      tab,
      { ...device, login: 'password', credentials: { user: 'integrator', password: 'a secret' } },
    ])
    await edit('device')
    await field('User').fill('')
    await reason('User', 'A value is missing.')
    await field('Token').waitFor({ state: 'hidden' })
    await field('Login').selectOption('token')
    await field('User').waitFor({ state: 'hidden' })
    await field('Token').fill('another secret')
    await button('Update').click()
    await closed()
    await deploy()
    const kept = (await running().get('/credentials/vision-device-config/device')) as object
    kept.should.deepEqual({ user: '', has_password: false, has_token: true })
  })

  it('name every control and reach each by keyboard', async () => {
    const types = ['get-parameter', 'set-parameter', 'call-service', 'virtual-device']
    const nodes = types.map((type, row) => ({
      id: type,
      type: `vision-${type}`,
      z: 'tab',
      x: 200,
      y: 60 * row + 60,
    }))
    await open([tab, device, ...nodes])
    for (const id of ['device', ...types]) {
      await edit(id)
      const nameless = await page.evaluate<string[]>(unreachable)
      nameless.should.deepEqual([])
      await button('Cancel').click()
      await closed()
    }
  })

  for (const example of readdirSync(examples).filter((file) => file.endsWith('.json')))
    it(`find nothing wrong with the example ${example}`, async () => {
      await open([tab])
      const errors = await page.evaluate<string[][]>(`
        RED.nodes.import(${readFileSync(join(examples, example), 'utf8')}).nodes
          .filter((node) => node.type.startsWith('vision-'))
          .map((node) => (RED.editor.validateNode(node), node.validationErrors))
      `)
      errors.should.not.be.empty()
      errors.flat().should.deepEqual([])
    })

  async function open(flows: readonly object[]) {
    if (!context) throw new Error('no browser')
    await running().deploy(flows)
    page = await openEditor(context, running().url)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
  }

  /** Drags a node from the palette into the flow and opens its dialog. */
  async function place(label: string) {
    await page.getByPlaceholder('filter nodes').fill(label)
    const from = page.locator('.red-ui-palette-node', { hasText: label })
    await from.dragTo(page.locator('#red-ui-workspace-chart'), { targetPosition: { x: 300, y: 200 } })
    await page.locator('.red-ui-flow-node-group', { hasText: label }).dblclick()
    await opened()
  }

  async function edit(id: string) {
    await page.evaluate(`{
      const node = RED.nodes.node('${id}')
      if (node._def.category === 'config') RED.editor.editConfig('', node.type, node.id)
      else RED.editor.edit(node)
    }`)
    await opened()
  }

  function running() {
    if (!red) throw new Error('no Node-RED')
    return red
  }

  const opened = () => page.locator('.red-ui-tray .vision-dialog').waitFor()
  const closed = () => page.locator('.red-ui-tray').waitFor({ state: 'detached' })
  const form = () => page.locator('.vision-dialog')
  const named = (label: string) => page.getByLabel(label, { exact: true }).filter({ visible: true })
  const field = (label: string) => form().locator(named(label))
  const button = (name: string) => page.locator('.red-ui-tray-toolbar').getByRole('button', { name })

  async function done() {
    await button('Done').click()
    await closed()
  }

  async function pressEnter(control: Locator) {
    // Nothing is pressed while the dialog still slides in.
    await control.click({ trial: true })
    await control.press('Enter')
  }

  async function chooseKind(label: string, kind: string) {
    await form()
      .getByRole('button', { name: `${label}: kind of value` })
      .click()
    await page.locator('.red-ui-typedInput-options:visible a', { hasText: kind }).click()
  }

  async function reason(label: string, text: string) {
    const line = form()
      .locator('.form-row', { has: named(label) })
      .locator('.vision-reason')
    if (text) await line.filter({ hasText: text }).waitFor()
    ;((await line.textContent()) ?? '').should.equal(text)
    ;((await field(label).getAttribute('aria-invalid')) === 'true').should.equal(text !== '')
  }

  async function deploy() {
    const answered = page.waitForResponse((response) => response.url().endsWith('/flows') && response.ok())
    await page.locator('#red-ui-header-button-deploy').click()
    await answered
  }

  async function stored(...types: string[]) {
    const flows = await running().flows()
    return types.map((type) => flows.find((node) => node['type'] === type))
  }
})

/** What a node is made of, without where it lies. */
function withoutPlace(node: Record<string, unknown> = {}) {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !['id', 'x', 'y', 'z'].includes(key)))
}

/** Visible controls that have no name for a screen reader or that no keyboard reaches. Runs in the browser. */
const unreachable = `
  [...document.querySelectorAll('.vision-dialog :is(input, select, button:not([aria-hidden]), [role=button], summary)')]
    .filter((control) => control.checkVisibility() && !control.id.startsWith('red-ui-trap'))
    .filter((control) => {
      const labels = [...(control.labels ?? [])].map((label) => label.textContent)
      const name = [control.getAttribute('aria-label'), ...labels, control.textContent].join('').trim()
      return !name || control.tabIndex !== 0
    })
    .map((control) => control.outerHTML)`
