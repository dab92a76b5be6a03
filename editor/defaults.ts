import { isCheckbox, stored, text, type Dialog } from './dialog'

/** Fills fields that an older flow does not have with their defaults. */
export function defaults({ node, fields, input }: Dialog) {
  for (const field of fields) {
    const definition = node._def.defaults[field]
    // Node-RED itself selects "none" in the list of configuration nodes, which has no empty entry.
    if (!definition || definition.type || node[field] !== undefined) continue
    const value = stored(node, field)
    if (isCheckbox(input(field))) input(field).prop('checked', value === true)
    else input(field).val(text(value))
  }
}
