import type { Dialog } from './dialog'

/** Selects the only device for a node that has none yet. */
export function onlyDevice({ node, input }: Dialog) {
  if (node['device'] || !node._def.defaults['device']?.required) return
  const select = input('device')
  const devices = select.find('option').not('[value="_ADD_"]')
  if (devices.length === 1) select.val(devices.val() ?? '')
}
