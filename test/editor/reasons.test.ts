import should from 'should'
import { useEditor } from '../support/editor'
import { withoutPlace } from '../support/without-place'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
// Nothing listens there, so that a deployed flow finds no device.
const device = { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: '127.0.0.1:9' }

describe('dialogs that check their fields', () => {
  const open = useEditor()

  it('configure how a stream is received, and check the size of a batch', async () => {
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
    await editor.field('Action').selectOption('list the destinations')
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

  it('show at the field what is missing, out of range or unreadable', async () => {
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
    await editor.reason('Node prefix', 'Use only letters, digits and _.')
    await editor.field('Scenario').fill('[]')
    await editor.field('Scenario').blur()
    await editor.reason('Scenario', 'This must be a JSON object, for example { "fps": 10 }.')
    await editor.close('Done')
    const marked = () => editor.page.evaluate<string[]>("RED.nodes.node('v').validationErrors")
    ;(await marked()).should.deepEqual([
      'Node prefix: Use only letters, digits and _.',
      'Scenario: This must be a JSON object, for example { "fps": 10 }.',
    ])
  })

  it('accept 0 where it switches something off, and nothing between it and the minimum', async () => {
    const editor = await open([
      tab,
      device,
      { id: 's', type: 'vision-get-status', z: 'tab', x: 200, y: 100, device: 'device' },
    ])
    const judged = await editor.page.evaluate<string[]>(`
      const { interval } = RED.nodes.node('s')._def.defaults
      ;['0', '', '0.02', '0.0001', '-1', '90000']
        .map((text) => interval.validate.reason(RED.nodes.node('s'), text) ?? 'fine')
    `)
    judged.slice(0, 3).should.deepEqual(Array(3).fill('fine'))
    judged.slice(3).should.deepEqual(Array(3).fill('This must be 0, or from 0.02 to 86400.'))
  })

  it('recognise valid addresses', async () => {
    const editor = await open([tab, device])
    const judged = await editor.page.evaluate<string[]>(`
      ['192.168.0.10', 'vision.local:8080', 'https://gateway/cell1', '\${HOST}:8080', 'http://\${HOST}/\${CELL}',
       '', 'ftp://x', 'a b', 'http://me:pw@host', 'me:pw@host/api/v2', 'host?x=1', 'http://',
       'http://host/api/v2/', 'HTTPS://gateway/cell1/api', 'http:/host', '::1']
        .map((text) => visionDialogs.check('address', { kind: 'text', isAddress: true }).reason(RED.nodes.node('device'), text) ?? 'fine')
    `)
    judged.slice(0, 5).should.deepEqual(Array(5).fill('fine'))
    judged[5]?.should.equal('A value is missing.')
    judged[6]?.should.match(/begins with neither http/)
    judged[7]?.should.match(/host name is missing or not valid/)
    judged[8]?.should.match(/user and password out of the address/)
    judged[9]?.should.match(/user and password out of the address/)
    judged[10]?.should.equal('fine')
    judged[11]?.should.match(/host name is missing/)
    judged.slice(12).should.deepEqual(Array(4).fill('fine'))
  })

  it('correct an address that was copied from a browser, and say so', async () => {
    const editor = await open([tab, device])
    await editor.edit('device')
    const address = editor.field('Address')
    const row = editor.page.locator('.form-row:has(#node-config-input-address)')
    await address.fill('http://127.0.0.1:9/api/v2/')
    await editor.reason('Address', '')
    await address.blur()
    await row.getByText('Changed from http://127.0.0.1:9/api/v2/ to 127.0.0.1:9.').waitFor()
    await editor.screenshot('address-put-right', editor.dialog)
    ;(await address.inputValue()).should.equal('127.0.0.1:9')
    await address.fill('admin:secret@127.0.0.1/api/v2/')
    await address.blur()
    await editor.reason('Address', 'Leave user and password out of the address; enter them under Login.')
    ;((await row.textContent()) ?? '').should.not.match(/secret|Changed/)
    await address.fill('https://127.0.0.1:9/cell1/api/v2')
    await editor.close('Update')
    await editor.deploy()
    const [stored] = await editor.stored('vision-device-config')
    should(stored).have.property('address', 'https://127.0.0.1:9/cell1')
  })

  it('show only the fields of the chosen login and drop the other one', async () => {
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
})
