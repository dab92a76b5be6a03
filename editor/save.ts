import { openDialog } from './dialog'
import { storedKind } from './forms/form'
import { numberIn, unitOf } from './quantity'

/** Runs before Node-RED reads the form: trims texts, converts numbers, and removes unused logins. */
export function save(node: EditorNode) {
  const { form, fields, input, value } = openDialog(node)
  // The focused control has not been left yet, because "Done" has a key too.
  form.find(':focus').trigger('change')
  // Node-RED leaves an empty default out of a new configuration node.
  for (const [field, { value: byDefault }] of Object.entries(node._def.defaults))
    if (node[field] === undefined) Object.assign(node, { [field]: byDefault })
  for (const field of fields) {
    const element = input(field)
    if (element.is('[data-trim], [inputmode]')) element.val(value(field).trim())
    const number = element.is('[inputmode]') ? numberIn(value(field), unitOf(node, field)) : undefined
    if (number && 'value' in number) {
      element.val(String(number.value))
      // Node-RED keeps the stored number if it equals the text in the form.
      Object.assign(node, { [field]: number.value })
    }
    if (form.find(`[data-form="${field}"]`).length)
      input(`${field}Type`).val(storedKind(value(`${field}Type`), value(field)))
    if (node._def.credentials?.[field] && element.closest('[hidden]').length) element.val('')
  }
}

/** Saves a text as a file of the browser. */
export function saveText(content: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/plain' }))
  const [link] = $('<a>').attr({ href: url, download: name }).get()
  link?.click()
  URL.revokeObjectURL(url)
}
