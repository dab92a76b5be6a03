import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const inTab = { id: 'n', z: 'tab', x: 200, y: 100, wires: [[]], device: 'device' }

/** Fields that accept any text, for which the device has examples. */
describe('suggestions of the device', () => {
  const open = useEditor()
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, variant: 'multi', nodePrefix: 'xy_' })
    for (const id of ['bin', 'table'])
      await store('xy_roi_db', 'set_region_of_interest', { region_of_interest: box(id) })
    await store('xy_gripper_db', 'set_gripper', { id: 'vacuum', flange_radius: 0.04, elements: [rod] })
  })
  after(() => device.stop())
  const config = () => ({ id: 'device', type: 'vision-device-config', name: 'Cell 1', address: device.url })

  const store = async (node: string, service: string, args: object) => {
    const answer = await fetch(`${device.url}/api/v2/nodes/${node}/services/${service}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ args }),
    })
    ;(await answer.text()).should.not.match(/"value": ?-/)
  }
  const box = (id: string) => ({
    id,
    type: 'BOX',
    pose_frame: 'camera',
    box: { x: 1, y: 1, z: 1 },
    pose: origin,
  })

  it('are the ids of the records of the chosen kind, one or several', async () => {
    const editor = await open([tab, config(), { ...inTab, type: 'vision-database', action: 'get' }])
    await editor.edit('n')
    await editor.pick('ID', 'bin')
    await editor.offers('ID').filter({ hasText: 'table' }).click()
    should(await editor.field('ID').inputValue()).equal('bin, table')
    await editor.screenshot('suggestions', editor.dialog)
    await editor.field('Kind').selectOption('gripper')
    await editor.field('ID').fill('')
    await editor.pick('ID', 'vacuum')
    await editor.field('Action').selectOption('store one record, or overwrite it')
    await editor.field('ID').fill('another')
    await editor.remark('ID', '')
    await editor.close('Done')
    await editor.deploy()
    const [stored] = await editor.stored('vision-database')
    should(stored).match({ kind: 'gripper', recordId: 'another', recordIdType: 'str' })
  })

  it('are the kinds of sensor that its pipelines have', async () => {
    const answer = await fetch(`${device.url}/api/v2/system/pipelines`)
    const { config: pipelines } = (await answer.json()) as { config: Record<string, { type: string }> }
    const sensor = String(pipelines['0']?.type)
    const configuring = { type: 'vision-pipeline', action: 'configure', pipeline: '1' }
    const editor = await open([tab, config(), { ...inTab, ...configuring }])
    await editor.edit('n')
    await editor.pick('Sensor type', sensor)
    should(await editor.field('Sensor type').inputValue()).equal(sensor)
  })
})

const origin = { position: { x: 0, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
const rod = {
  id: 'rod',
  parent_id: 'flange',
  type: 'CYLINDER',
  cylinder: { radius: 0.01, height: 0.1 },
  pose: origin,
}
