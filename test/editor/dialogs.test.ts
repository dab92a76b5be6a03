import 'should'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deviceConfigNode } from '../../nodes/device-config/fields'
import { getParameterNode } from '../../nodes/get-parameter/fields'
import { defaultsOf } from '../../nodes/shared/fields/checked-fields'
import { dialogSource, paletteNames } from '../support/dialog-source'
import { useEditor } from '../support/editor'
import { withoutPlace } from '../support/without-place'

const examples = join(__dirname, '..', '..', '..', 'examples')
const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

describe('edit dialogs in a browser', () => {
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
        paletteNames.map((node) => dialogSource(node).texts[`${node}.paletteLabel`] ?? '').sort(),
      )
    await category.locator('.red-ui-palette-node', { hasText: 'get parameter' }).hover()
    await editor.page
      .locator('.red-ui-popover', { hasText: 'Reads one, several or all parameters' })
      .waitFor()
  })

  it('create a device and a node that reads from it, all by hand', async () => {
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
      ...defaultsOf(deviceConfigNode),
      name: 'Cell 1',
      address: '127.0.0.1:9',
      login: 'password',
      healthInterval: 2.5,
    })
    withoutPlace(reader).should.deepEqual({
      type: 'vision-get-parameter',
      ...defaultsOf(getParameterNode),
      device: config?.id,
      node: 'dev_camera',
      parameter: 'fps',
      wires: [[]],
    })
    JSON.stringify(await editor.red.flows()).should.not.match(/a secret|integrator/)
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
