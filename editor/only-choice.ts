import type { Dialog } from './dialog'

/** Selects the only device, or PLC, for a node that needs one and has none yet. */
export function onlyChoice({ node, input }: Dialog) {
  for (const [field, { type, required }] of Object.entries(node._def.defaults)) {
    if (!type || !required || node[field]) continue
    const select = input(field)
    const choices = select.find('option').not('[value="_ADD_"]')
    if (choices.length === 1) select.val(choices.val() ?? '')
  }
}
