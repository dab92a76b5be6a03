import { isCheckbox, stored, text, type Dialog } from './dialog'

/** A field that the flow does not have yet shows its default. */
export function defaults({ node, fields, input }: Dialog) {
  for (const field of fields) {
    const definition = node._def.defaults[field]
    // The list of configuration nodes has no empty entry; Node-RED chooses "none" there.
    if (!definition || definition.type || node[field] !== undefined) continue
    const value = stored(node, field)
    if (isCheckbox(input(field))) input(field).prop('checked', value === true)
    else input(field).val(text(value))
  }
}
