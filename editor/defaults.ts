import { isCheckbox, stored, text, type Dialog } from './dialog'

/** A field that the flow does not have yet shows its default. */
export function defaults({ node, fields, input }: Dialog) {
  for (const field of fields) {
    if (!(field in node._def.defaults) || node[field] !== undefined) continue
    const value = stored(node, field)
    if (isCheckbox(input(field))) input(field).prop('checked', value === true)
    else input(field).val(text(value))
  }
}
