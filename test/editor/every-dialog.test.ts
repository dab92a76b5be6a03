import should from 'should'
import { paletteNames } from '../support/dialog-source'
import { useEditor } from '../support/editor'
import { closedAddress } from '../support/misbehaving-server'

const tab = { id: 'tab', type: 'tab', label: 'Zelle', disabled: false, info: '' }

/** Minimum contrast between a text and its background: WCAG 2.2, 1.4.3. */
const readable = 4.5

describe('every dialog', () => {
  const open = useEditor({ locale: 'de' })

  it('opens without a device, in German, is easy to read in a dark theme, and can be used by keyboard', async () => {
    const nodes = paletteNames.map((name, row) => ({
      ...{ id: name, type: `vision-${name}`, z: 'tab', x: 200, y: 40 + 48 * row, wires: [[]] },
      device: 'device',
    }))
    const device = { id: 'device', type: 'vision-device-config', name: '', address: await closedAddress() }
    const editor = await open([tab, device, ...nodes])
    const { page } = editor
    await page.evaluate(`document.documentElement.classList.add('nr-theme-dark')`)
    await editor.darken()
    for (const id of ['device', ...paletteNames]) {
      await editor.edit(id)
      const texts = await page.evaluate<Text[]>(shownTexts)
      should(texts.length).be.above(2, id)
      // A key without a text is shown as it is.
      const untranslated = texts.filter(
        ({ text }) => /^[a-z-]+(\.\w+)+$/i.test(text) && !text.startsWith('msg.'),
      )
      should(untranslated).deepEqual([], id)
      should(texts.filter(({ contrast }) => contrast < readable)).deepEqual([], id)
      should(await page.evaluate<string[]>(wrappedLabels)).deepEqual([], id)
      should(await editor.unreachable()).deepEqual([], id)
      await editor.screenshot(`german-${id}`)
      await editor.close('Abbrechen' as 'Cancel')
    }
  })
})

interface Text {
  text: string
  contrast: number
}

/** The labels that do not fit on their line. */
const wrappedLabels = `
  [...document.querySelectorAll('.vision-dialog .form-row > label')]
    .filter((label) => label.checkVisibility() && label.getClientRects()[0].height > 1.7 * parseFloat(getComputedStyle(label).lineHeight))
    .map((label) => label.textContent)
`

/** The visible texts of the dialog, each with its contrast to the nearest background. */
const shownTexts = `{
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number)
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, opacity = 1] = channels(getComputedStyle(at).backgroundColor)
      if (opacity > 0.5) return [r, g, b]
    }
    return [255, 255, 255]
  }
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  ;[...document.querySelectorAll('.vision-dialog *')]
    .filter((element) => element.checkVisibility() && !element.disabled)
    .filter((element) => hasText(element) || element.matches('select, input:not([type=checkbox])'))
    .map((element) => {
      const levels = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))]
      const contrast = (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05)
      return { text: (hasText(element) ? element.textContent : element.id).trim(), contrast }
    })
}`
