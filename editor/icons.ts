import type { Dialog } from './dialog'

/** Draws the icon of every `<label data-icon="cube">`; it says nothing to a screen reader. */
export function icons({ form }: Dialog) {
  form.find('label[data-icon]').each((_index, label) => {
    const icon = $('<i class="fa fa-fw" aria-hidden="true">').addClass(`fa-${label.dataset['icon'] ?? ''}`)
    $(label).prepend(icon, ' ')
  })
}
