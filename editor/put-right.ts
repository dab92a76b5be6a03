import { afterClick } from './after-click'
import type { Check } from './checks/check'
import type { Dialog } from './dialog'
import { sharedText } from './shared-text'

/** Corrects a field when the user leaves it, and shows below it what was changed. */
export function putRight({ node, fields, input, value }: Dialog) {
  for (const field of fields) {
    const { kept } = (node._def.defaults[field]?.validate as Check | undefined) ?? {}
    if (!kept) continue
    const element = input(field)
    const line = $('<div class="vision-hint" role="status">').appendTo(element.closest('.form-row'))
    // Node-RED fires a change of every field when it opens the dialog.
    let isTyped = false
    element.on('input', () => {
      isTyped = true
      line.text('')
    })
    element.on('change', () => {
      if (!isTyped) return
      const before = value(field).trim()
      const after = kept(before)
      if (after === before) return
      element.val(after)
      afterClick(line, () => line.text(sharedText('form.putRight', { before, after })))
    })
  }
}
