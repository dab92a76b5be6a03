import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { kuka } from '../nodes/hand-eye/use-calibration'
import { useEditor, type Editor } from '../support/editor'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'
import { asSet, grid, overBin } from '../virtual-device/hand-eye/use-cell'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const onTab = { z: 'tab', x: 200, y: 100 }

describe('the dialog of hand-eye-calibration', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, scenario: asSet })
  })
  after(() => device.stop())

  const flows = () => [
    tab,
    { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: device.url },
    { ...onTab, id: 'in', type: 'http in', url: '/pose', method: 'post', wires: [['n']] },
    {
      ...{ ...onTab, id: 'n', type: 'vision-hand-eye-calibration', device: 'device', settling: 0 },
      ...{ gridWidth: 1000 * grid.grid_width, gridHeight: 1000 * grid.grid_height },
      wires: [['out'], ['out'], []],
    },
    { ...onTab, id: 'out', type: 'http response', wires: [] },
  ]
  /** Records a pose; resolves with the one that the node advises next. */
  const record = async (editor: Editor, pose: string): Promise<string> => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await fetch(`${editor.red.url}/pose`, { method: 'POST', headers, body: pose })
    const { ok, next } = (await answer.json()) as { ok: boolean; next?: { poseText: string } }
    should(ok).be.true()
    return next?.poseText ?? ''
  }
  const opened = async (editor: Editor, title: string) => {
    await editor.edit('n')
    await editor.page.locator('summary', { hasText: title }).click()
    return editor.page.locator('.vision-calibration')
  }

  describe('in English', () => {
    const open = useEditor()

    it('shows the coverage while a calibration is under way, as it grows', async () => {
      const editor = await open(flows())
      await editor.page.setViewportSize({ width: 1366, height: 768 })
      let pose = kuka(overBin())
      for (let count = 0; count < 3; count++) pose = await record(editor, pose)
      const panel = await opened(editor, 'Calibration in progress')
      await panel.getByText('Recorded poses: 3').waitFor()
      const plot = panel.getByRole('img', {
        name: 'Coverage of the recorded poses: directions, turns, distances',
      })
      await plot.waitFor()
      const first = await plot.getAttribute('src')
      await record(editor, pose)
      await panel.getByText('Recorded poses: 4').waitFor()
      should(await plot.getAttribute('src')).not.equal(first)
      await plot.scrollIntoViewIfNeeded()
      await editor.picture('calibration-coverage', panel)
      await editor.darken()
      await editor.page.waitForFunction(
        `decodeURIComponent(document.querySelector('.vision-plot:not([hidden])').src).includes('#e6e6e6')`,
      )
      await editor.screenshot('calibration-coverage-dark', panel)
      const texts = await editor.page.evaluate<ShownText[]>(shownTexts('.vision-calibration *'))
      should(texts.filter(({ contrast }) => contrast < readable)).eql([])
      await editor.close('Cancel')
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('is German', async () => {
      const editor = await open(flows())
      await record(editor, kuka(overBin()))
      const panel = await opened(editor, 'Laufende Kalibrierung')
      await panel.getByText(/^Aufgenommene Posen: \d/).waitFor()
      await editor.page.waitForFunction(
        `decodeURIComponent(document.querySelector('.vision-plot:not([hidden])').src).includes('aufgenommen: ')`,
      )
      await editor.screenshot('calibration-coverage-german', panel)
      await editor.close('Abbrechen' as 'Cancel')
    })
  })
})
