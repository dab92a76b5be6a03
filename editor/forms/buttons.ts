import { sharedText } from '../shared-text'

export const addButton = (text: string, pressed: () => void) =>
  $('<button type="button" class="red-ui-button red-ui-button-small vision-form-add">')
    .append('<i class="fa fa-plus" aria-hidden="true"></i> ', $('<span>').text(text))
    .on('click', pressed)

export const removeButton = (field: string, pressed: () => void) => {
  const name = sharedText('spoken.remove', { field })
  return $('<button type="button" class="red-ui-button red-ui-button-small vision-form-remove">')
    .attr({ 'aria-label': name, title: name })
    .append('<i class="fa fa-times" aria-hidden="true"></i>')
    .on('click', pressed)
}
