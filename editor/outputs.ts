import type { Dialog } from './dialog'

/** Where the options of a select carry `data-outputs`, the chosen one sets the number of outputs of the node. */
export function outputs({ form, input }: Dialog) {
  const select = form.find('select:has(option[data-outputs])')
  if (!select.length) return
  const update = () => input('outputs').val(select.find('option:selected').attr('data-outputs') ?? '1')
  select.on('change', update)
  update()
}
