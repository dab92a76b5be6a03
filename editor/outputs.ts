import type { Dialog } from './dialog'
import { holds } from '../lib/contract/reading/holds'

/** Gives the node two outputs while the rule in `<input data-second-output="action=reboot">` holds. */
export function outputs({ form, value }: Dialog) {
  const number = form.find('[data-second-output]')
  const rule = number.attr('data-second-output')
  if (rule === undefined) return
  const update = () => number.val(holds(rule, value) ? '2' : '1')
  form.on('change', update)
  update()
}
