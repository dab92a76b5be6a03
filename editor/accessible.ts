import type { Dialog } from './dialog'
import { sharedText } from './shared-text'

/**
 * Adds the accessible names and roles that Node-RED omits: for the parts of a TypedInput and the buttons beside a
 * device.
 */
export function accessible({ fields, input, label }: Dialog) {
  for (const field of fields) {
    accessibleTyped(input(field).next('.red-ui-typedInput-container'), label(field))
    const beside = input(field).nextAll('a.red-ui-button')
    button(beside.filter('[id$="-edit"]'), sharedText('spoken.edit', { field: label(field) }))
    button(beside.filter('[id$="-add"]'), sharedText('spoken.add', { field: label(field) }))
  }
}

/** Names the parts of one TypedInput. */
export function accessibleTyped(typed: JQuery, field: string) {
  const kinds = typed.find('.red-ui-typedInput-type-select')
  kinds.filter('.disabled').attr('aria-hidden', 'true')
  kinds.not('.disabled').attr({ 'aria-label': sharedText('spoken.kind', { field }), 'aria-haspopup': 'menu' })
  typed.find('.red-ui-typedInput-option-trigger').attr('aria-label', field)
  typed.find('.red-ui-typedInput-option-expand').attr('aria-label', sharedText('spoken.expand', { field }))
}

/** Node-RED draws these buttons as links without an address, which the keyboard cannot reach. */
function button(link: JQuery, name: string) {
  link.attr({ role: 'button', tabindex: '0', 'aria-label': name }).on('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    link.trigger('click')
  })
}
