import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'
import { closedAddress, json, startMisbehavingServer } from '../support/misbehaving-server'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const inTab = { z: 'tab', x: 200, y: 100, wires: [[]], device: 'device' }
const reader = { ...inTab, id: 'n', type: 'vision-get-parameter', pipeline: '0' }

describe('dialogs that query the device', () => {
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
    // On a busy computer, too, the device must not time out.
    deadline: 60,
  })

  /** Somebody else changes the device. */
  const setRate = (value: number) =>
    fetch(`${device.url}/api/v2/pipelines/0/nodes/dev_camera/parameters/fps`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    })

  describe('in English', () => {
    const open = useEditor()

    it('test the connection before anything is saved, and show who answers or why nobody does', async () => {
      const editor = await open([tab])
      await editor.place('get parameter')
      await editor.pressEnter(editor.page.getByRole('button', { name: 'Device: add a new one' }))
      await editor.field('Address').fill(device.url)
      const found = await tested(editor, 'Test connection')
      found.should.match(/ready.*Serial number\d+Firmware\S+Variantmulti.*Response time[\d.]+ ms$/)
      await editor.picture('test-connection', editor.dialog)
      await editor.field('Address').fill(await closedAddress())
      should(await editor.page.locator('.vision-answer').textContent()).equal('')
      const refused = await tested(editor, 'Test connection')
      refused.should.match(/127.0.0.1:\d+ refuses connections/)
      const server = await startMisbehavingServer()
      server.behave(json({ message: 'disk is full' }, 500))
      await editor.field('Address').fill(server.url)
      const inTrouble = await tested(editor, 'Test connection')
      inTrouble.should.match(/reports a fault.*restart it.*AnswerHTTP 500: disk is full$/)
      await server.stop()
      await editor.field('Address').fill('')
      const wrong = await tested(editor, 'Test connection')
      wrong.should.match(/address is empty/)
    })

    it('offer everything on a device that was never deployed, so that no name is typed', async () => {
      const editor = await open([tab])
      await editor.place('get parameter')
      await editor.pressEnter(editor.page.getByRole('button', { name: 'Device: add a new one' }))
      await editor.field('Address').fill(device.url)
      await editor.button('Add').click()
      await editor.pick('Pipeline', '0')
      await editor.pick('Node', 'dev_camera')
      await editor.pick('Parameter', 'fps')
      await present(editor, 'Now 25 Hz; 1 to 25 Hz; default 25 Hz')
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-get-parameter')
      should(stored).match({ pipeline: '0', node: 'dev_camera', parameter: 'fps', parameterType: 'str' })
    })

    it('can be used by keyboard alone', async () => {
      const editor = await open([tab, config(), { ...inTab, id: 'n', type: 'vision-call-service' }])
      await editor.edit('n')
      const node = editor.field('Node')
      await node.focus()
      await node.press('ArrowDown')
      await editor.offers('Node').filter({ hasText: 'dev_gripper_db' }).waitFor()
      should(await node.getAttribute('aria-expanded')).equal('true')
      await editor.picture('pick-list', editor.dialog)
      await node.press('Escape')
      await editor.offers('Node').first().waitFor({ state: 'detached' })
      should(await node.getAttribute('aria-expanded')).equal('false')
      await node.pressSequentially('hand_eye')
      await editor.offers('Node').filter({ hasText: 'dev_hand_eye' }).waitFor()
      should(await editor.offers('Node').count()).equal(2)
      await node.press('ArrowDown')
      const active = editor.page.locator(`#${String(await node.getAttribute('aria-activedescendant'))}`)
      should(await active.getAttribute('role')).equal('option')
      await node.press('Enter')
      should(await node.inputValue()).equal('dev_hand_eye_calibration')
      const service = editor.field('Service')
      await service.focus()
      await service.press('ArrowUp')
      await editor.offers('Service').filter({ hasText: 'get_poses' }).waitFor()
      await service.press('Tab')
      await editor.offers('Service').first().waitFor({ state: 'detached' })
      ;(await editor.unreachable()).should.deepEqual([])
    })

    it('mark what the device does not have, and keep it', async () => {
      const editor = await open([tab, config(), { ...reader, node: 'dev_kamera', parameter: 'fps' }])
      await editor.edit('n')
      await editor.remark('Node', 'The device does not have: dev_kamera')
      await editor.remark('Parameter', '')
      await editor.screenshot('missing')
      await editor.field('Node').fill('xy_camera')
      await editor.field('Parameter').fill('fbs')
      await editor.field('Parameter').blur()
      await editor.remark('Node', 'On this device it is called dev_camera; that name is used.')
      await editor.field('Pipeline').fill('3')
      await editor.field('Pipeline').blur()
      await editor.remark('Pipeline', 'The device does not have: 3')
      await editor.field('Pipeline').fill('0')
      await editor.field('Pipeline').blur()
      await editor.remark('Pipeline', '')
      await editor.remark('Parameter', 'The device does not have: fbs')
      await editor.chooseKind('Node', 'msg.')
      await editor.remark('Node', '')
      await editor.remark('Parameter', '')
      const button = editor.page.getByRole('button', { name: 'Node: show the names on the device' })
      await button.waitFor({ state: 'hidden' })
      await editor.chooseKind('Node', 'string')
      await button.waitFor()
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-get-parameter')
      should(stored).match({ node: 'xy_camera', parameter: 'fbs' })
    })

    it('accept several names, each with its present value, and load the list again on demand', async () => {
      const several = { ...reader, node: 'dev_camera', which: 'several', parameter: 'exp_auto' }
      const editor = await open([tab, config(), several])
      await editor.edit('n')
      await editor.pick('Parameter', 'fps')
      await editor.offers('Parameter').filter({ hasText: 'exp_max' }).click()
      should(await editor.field('Parameter').inputValue()).equal('exp_auto, fps, exp_max')
      await present(editor, 'fps: Now 25 Hz')
      await present(editor, 'exp_auto: Now true; default true')
      await editor.screenshot('several')
      await editor.offers('Parameter').filter({ hasText: 'exp_max' }).click()
      should(await editor.field('Parameter').inputValue()).equal('exp_auto, fps')
      await setRate(5)
      await editor.offers('Parameter').filter({ hasText: 'Query the device again' }).click()
      await present(editor, 'fps: Now 5 Hz')
      await editor.offers('Parameter').filter({ hasText: '5 Hz' }).waitFor()
      await setRate(25)
    })

    it('say why nothing is offered, and accept any text, without a device', async () => {
      const editor = await open([
        tab,
        config(await closedAddress()),
        { ...reader, node: '', parameter: 'fps' },
      ])
      await editor.edit('n')
      const openList = (label: string) =>
        editor.page.getByRole('button', { name: `${label}: show the names on the device` }).click()
      const said = (text: string) => editor.page.locator('.vision-pick-note', { hasText: text }).waitFor()
      await openList('Parameter')
      await said('Choose a node first')
      await openList('Node')
      await said('could not be reached')
      await editor.field('Node').fill('dev_whatever')
      await editor.field('Parameter').focus()
      await editor.remark('Node', '')
      await editor.field('Device').selectOption({ index: 0 })
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-get-parameter')
      should(stored).match({ node: 'dev_whatever', parameter: 'fps' })
    })

    it('follow the colours of a dark theme', async () => {
      const editor = await open([tab, config(), { ...reader, node: 'dev_kamera', parameter: '' }])
      await editor.darken()
      await editor.edit('n')
      await editor.remark('Node', 'dev_kamera')
      await editor.page.getByRole('button', { name: 'Node: show the names on the device' }).click()
      const offer = editor.offers('Node').filter({ hasText: 'dev_camera' })
      await offer.waitFor()
      await editor.screenshot('dark')
      const colours = await editor.page.evaluate<string[]>(`[
        getComputedStyle(document.querySelector('.vision-picks')).backgroundColor,
        getComputedStyle(document.querySelector('.vision-picks [role=option]')).color,
        getComputedStyle(document.querySelector('.vision-pick-mark:not(:empty)')).color,
      ]`)
      should(colours).eql(['rgb(30, 30, 30)', 'rgb(220, 220, 220)', 'rgb(224, 160, 96)'])
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('is used throughout, also for answers of this Node-RED', async () => {
      const editor = await open([tab, config(), { ...reader, node: 'dev_kamera', parameter: 'fps' }])
      await editor.edit('n')
      await editor.page.getByText('Nicht auf dem Gerät: dev_kamera', { exact: true }).waitFor()
      await editor.close('Abbrechen' as 'Cancel')
      await editor.edit('device')
      ;(await tested(editor, 'Verbindung testen')).should.match(/ist bereit.*Seriennummer\d/)
      await editor.screenshot('german')
      await editor.field('Adresse').fill('')
      ;(await tested(editor, 'Verbindung testen')).should.match(/Die Einstellung address ist leer/)
    })
  })
})

async function tested(editor: Editor, name: string): Promise<string> {
  await editor.page.getByRole('button', { name }).click()
  const answer = editor.page.locator('.vision-answer')
  await answer.locator('div').first().waitFor()
  return (await answer.textContent()) ?? ''
}

const present = (editor: Editor, text: string) =>
  editor.page.locator('[data-present]', { hasText: text }).waitFor()
