import { openDialog } from './dialog'
import { storedKind } from './forms/form-field'
import { keptForm } from './put-right'

/** Before Node-RED reads the form: texts without spaces around them, numbers as numbers, no login that is not in use. */
export function save(node: EditorNode) {
  const { form, fields, input, value } = openDialog(node)
  // Node-RED leaves an empty default out of a new configuration node.
  for (const [field, { value: byDefault }] of Object.entries(node._def.defaults))
    if (node[field] === undefined) Object.assign(node, { [field]: byDefault })
  for (const field of fields) {
    const element = input(field)
    const kept = keptForm(node, field)
    // What is stored already stays as it is until it is changed.
    if (kept && value(field) !== node[field]) element.val(kept(value(field)))
    if (element.is('[data-trim], [inputmode]')) element.val(value(field).trim())
    // Node-RED keeps the stored number where it equals the text in the form.
    if (element.is('[inputmode]') && value(field) !== '' && !Number.isNaN(Number(value(field))))
      Object.assign(node, { [field]: Number(value(field)) })
    if (form.find(`[data-form="${field}"]`).length)
      input(`${field}Type`).val(storedKind(value(`${field}Type`), value(field)))
    if (node._def.credentials?.[field] && element.closest('[hidden]').length) element.val('')
  }
}
