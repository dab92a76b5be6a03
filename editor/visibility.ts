import { holds } from '../lib/contract/reading/holds'
import type { Dialog } from './dialog'

/** Shows an element with `data-when="field=one|several"` only while the field has one of the values. */
export function visibility({ form, value }: Dialog) {
  const ruled = form.find('[data-when]').get()
  const update = () => {
    for (const element of ruled) element.hidden = !holds(element.dataset['when'] ?? '', value)
    RED.tray.resize()
  }
  form.on('change', update)
  update()
}
