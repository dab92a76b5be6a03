import type { Dialog } from './dialog'
import { dialogDevice, fixedText } from './dialog-device'
import { parameterAbout } from './forms/parameter-shape'
import { nodeParameters } from './node-parameters'
import { ineffectiveText } from './parameter-text'
import { namesIn } from './picks/names'

/** Shows in `<div data-present="parameter">` the present values of the parameters named in that field. */
export function presentValue(dialog: Dialog) {
  const { form } = dialog
  const shown = form.find('[data-present]')
  const field = shown.attr('data-present')
  if (!field) return
  let turn = 0

  const update = async (fresh: boolean) => {
    const mine = ++turn
    // Another listener of the same change may hide the field.
    await Promise.resolve()
    const lines = await present(dialog, field, fresh).catch(() => [])
    if (mine !== turn) return
    shown
      .empty()
      .append(lines.map(({ text, isRemark }) => $('<div>').toggleClass('vision-remark', isRemark).text(text)))
    RED.tray.resize()
  }

  form.on('change vision-refresh', () => void update(false))
  void update(true)
}

interface ValueLine {
  text: string
  isRemark: boolean
}

async function present(dialog: Dialog, field: string, fresh: boolean): Promise<ValueLine[]> {
  const api = dialogDevice(dialog)
  const [pipeline, node, given] = ['pipeline', 'node', field].map((name) => fixedText(dialog, name))
  if (!api || !pipeline || !node || !given || dialog.input(field).closest('[hidden]').length) return []
  const parameters = await nodeParameters(api, { pipeline, node }, { fresh })
  const named = namesIn(given)
  const writes = dialog.form.find('[data-parameters]').length > 0
  return parameters.records
    .filter(({ name }) => named.includes(name))
    .flatMap((record) => {
      const about = parameterAbout(record)
      const remark = writes ? ineffectiveText(parameters, record) : ''
      return [
        { text: named.length > 1 ? `${record.name}: ${about}` : about, isRemark: false },
        ...(remark ? [{ text: remark, isRemark: true }] : []),
      ]
    })
}
