import should from 'should'
import { useEditor } from '../support/editor'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
// Nothing listens there, so that a deployed flow finds no device.
const device = { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: '127.0.0.1:9' }
const identity = { w: 1, x: 0, y: 0, z: 0 }
const gripper = {
  flange_radius: 0.04,
  elements: [
    {
      id: 'rod',
      parent_id: 'flange',
      type: 'CYLINDER',
      cylinder: { radius: 0.01, height: 0.1 },
      pose: { position: { x: 0, y: 0, z: 0.05 }, orientation: identity },
    },
  ],
}
const node = {
  id: 'node',
  type: 'vision-database',
  z: 'tab',
  x: 200,
  y: 100,
  device: 'device',
  kind: 'gripper',
  recordId: 'vacuum',
  form: JSON.stringify(gripper),
}
const formOf = (stored: Record<string, unknown> | undefined) =>
  JSON.parse(String(stored?.['form'])) as Record<string, unknown>

describe('the form of a record', () => {
  const open = useEditor()

  it('stores metres and quaternions for input in millimetres and degrees', async () => {
    const editor = await open([tab, device])
    await editor.place('database')
    await editor.field('Device').selectOption('Cell 1')
    await editor.field('ID').fill('bin_1')
    await editor.field('Edges x').fill('400')
    await editor.field('Edges y').fill('300,5')
    await editor.field('Edges z').fill('200')
    await editor.field('Pose in').selectOption('external (robot)')
    await editor.field('Position z').fill('800')
    await editor.field('Rotation z').fill('90')
    await editor.close('Done')
    await editor.deploy()
    const [stored] = await editor.stored('vision-database')
    should(stored).match({ kind: 'region', action: 'set', recordId: 'bin_1', unit: 'mm' })
    const half = Math.SQRT1_2
    const { pose, ...rest } = formOf(stored)
    rest.should.deepEqual({ type: 'BOX', box: { x: 0.4, y: 0.3005, z: 0.2 }, pose_frame: 'external' })
    const { position, orientation } = pose as { position: object; orientation: Record<string, number> }
    position.should.deepEqual({ z: 0.8 })
    for (const [part, expected] of Object.entries({ w: half, x: 0, y: 0, z: half }))
      should(orientation[part]).be.approximately(expected, 1e-9)
  })

  it('shows a stored record in either unit, and stores it unchanged', async () => {
    const editor = await open([tab, device, node])
    await editor.edit('node')
    ;(await editor.field('Flange radius').inputValue()).should.equal('40')
    ;(await editor.field('Radius').inputValue()).should.equal('10')
    await editor.field('Lengths in').selectOption('metres')
    ;(await editor.field('Flange radius').inputValue()).should.equal('0.04')
    ;(await editor.field('Height').inputValue()).should.equal('0.1')
    await editor.close('Done')
    await editor.deploy()
    const [stored] = await editor.stored('vision-database')
    should(formOf(stored)).match(gripper)
  })

  it('has elements that can be added and removed, each with the fields of its shape', async () => {
    const editor = await open([tab, device, node])
    await editor.edit('node')
    await editor.page.getByRole('button', { name: 'Add an element' }).click()
    ;(await editor.unreachable()).should.deepEqual([])
    await editor.page.getByRole('button', { name: 'remove this element' }).first().click()
    await editor.field('Element').fill('cup')
    await editor.field('Fixed to').fill('flange')
    await editor.field('Shape').selectOption('CAD file on the device')
    await editor.field('Edges x').waitFor({ state: 'hidden' })
    await editor.field('CAD element').fill('cup.stl')
    await editor.close('Done')
    await editor.deploy()
    const [stored] = await editor.stored('vision-database')
    formOf(stored).should.deepEqual({
      flange_radius: 0.04,
      elements: [{ id: 'cup', parent_id: 'flange', type: 'CAD', cad: { id: 'cup.stl' } }],
    })
  })

  it('shows below a row what is missing or not a number', async () => {
    const editor = await open([tab, device, { ...node, kind: 'region2d', form: '{}' }])
    await editor.edit('node')
    await editor.field('Width').fill('wide')
    await editor.field('Width').blur()
    await editor.reason('Width', 'This must be a number.')
    await editor.field('Width').fill('640')
    await editor.reason('Width', '')
    await editor.field('Height').focus()
    await editor.field('Height').blur()
    await editor.reason('Height', 'A value is missing.')
    await editor.field('From left').blur()
    await editor.reason('From left', '')
  })
})
