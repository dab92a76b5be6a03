import 'should'
import { dialogNodes } from '../support/dialog-nodes'
import { useEditor } from '../support/editor'
import { rowFaults } from '../support/row-faults'

describe('the rows of every dialog', () => {
  const open = useEditor()

  it('keep a label, its control and its additions on one line, in English', async () => {
    const { ids, flows } = dialogNodes('127.0.0.1:9')
    const editor = await open(flows)
    const found: string[] = []
    for (const id of ids) {
      await editor.edit(id)
      found.push(...(await rowFaults(editor.page, id)))
      await editor.close('Cancel')
    }
    found.should.deepEqual([])
  })
})
