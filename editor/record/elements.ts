import { sharedText } from '../shared-text'

/**
 * Lists in a record: `<div data-list="elements">` contains a hidden `[data-element]`, which is copied for each element,
 * and a button `[data-add]`.
 */
export function listIn(list: JQuery, changed: () => void) {
  const pattern = list.children('[data-element]').first().prop('hidden', true)
  const elements = () => list.children('[data-element]').not(pattern)

  const add = () => {
    const element = pattern.clone().prop('hidden', false).insertBefore(list.children('[data-add]'))
    const remove = $('<button type="button" class="red-ui-button red-ui-button-small vision-remove">')
      .attr('aria-label', sharedText('record.remove'))
      .append('<i class="fa fa-trash" aria-hidden="true">')
      .on('click', () => {
        element.remove()
        changed()
      })
    element.find('.vision-control').first().append(remove)
    // A copied label would refer to the control of the template.
    element.find('label[for]').each((_index, label) => {
      const id = `${label.getAttribute('for') ?? ''}-${Math.random().toString(36).slice(2, 8)}`
      element.find(`#${label.getAttribute('for') ?? ''}`).attr('id', id)
      label.setAttribute('for', id)
    })
    return element
  }
  list.children('[data-add]').on('click', () => {
    add()
    changed()
  })
  return { elements, add }
}
