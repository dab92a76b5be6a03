import should from 'should'
import { dialogNodes } from '../support/dialog-nodes'
import { useEditor } from '../support/editor'
import { closedAddress } from '../support/misbehaving-server'
import { rowFaults } from '../support/row-faults'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'

describe('every dialog', () => {
  const open = useEditor({ locale: 'de' })

  it('opens without a device, in German, is easy to read in a dark theme, keeps its rows whole, and can be used by keyboard', async () => {
    const { ids, flows } = dialogNodes(await closedAddress())
    const editor = await open(flows)
    const { page } = editor
    await editor.darken(true)
    const rows: string[] = []
    for (const id of ids) {
      await editor.edit(id)
      const texts = await page.evaluate<ShownText[]>(shownTexts('.vision-dialog *'))
      should(texts.length).be.above(2, id)
      // A key without a text is shown as it is.
      const untranslated = texts.filter(
        ({ text }) => /^[a-z-]+(\.\w+)+$/i.test(text) && !text.startsWith('msg.'),
      )
      should(untranslated).deepEqual([], id)
      should(texts.filter(({ contrast }) => contrast < readable)).deepEqual([], id)
      should(await page.evaluate<string[]>(cutHints)).deepEqual([], id)
      should(await editor.unreachable()).deepEqual([], id)
      await editor.screenshot(`german-${id}`)
      rows.push(...(await rowFaults(page, id)))
      await editor.close('Abbrechen' as 'Cancel')
    }
    rows.should.deepEqual([])
  })
})

/** The hints that are wider than their place. */
const cutHints = `
  [...document.querySelectorAll('.vision-dialog .vision-hint')]
    .filter((hint) => hint.checkVisibility() && hint.scrollWidth > hint.clientWidth + 1)
    .map((hint) => hint.textContent)
`
