/**
 * A text of a table row, passed on when it is left.
 * @param taken returns what is wrong with it, or nothing
 */
export function entry(
  label: string,
  value: string,
  at: string,
  taken: (text: string) => string | undefined,
): JQuery {
  const input = $('<input type="text">').attr({ 'aria-label': label, 'data-at': at, value })
  const wrong = $('<div class="vision-reason" role="status">')
  input.on('change', () => {
    const text = String(input.val())
    // What has been passed on is no longer being typed.
    input.prop('defaultValue', text)
    const reason = taken(text) ?? ''
    wrong.text(reason)
    input.attr('aria-invalid', reason ? 'true' : null).toggleClass('input-error', reason !== '')
  })
  return input.add(wrong)
}

/** A button of a table row that shows an icon. */
export const rowButton = (
  icon: string,
  label: string,
  title: string,
  at: string,
  pressed: () => void,
): JQuery =>
  $('<button type="button" class="red-ui-button red-ui-button-small">')
    .attr({ 'aria-label': label, title, 'data-at': at })
    .append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`))
    .on('click', pressed)

/** @param names of values that are shown otherwise */
export function choice(
  label: string,
  values: readonly string[],
  value: string,
  at: string,
  taken: (value: string) => void,
  names: Readonly<Record<string, string>> = {},
): JQuery {
  // A value that is not possible is shown all the same, beside its fault.
  const all = values.includes(value) ? values : [value, ...values]
  const select = $('<select>').attr({ 'aria-label': label, 'data-at': at })
  select
    .append(
      all.map((each) =>
        $('<option>')
          .val(each)
          .text(names[each] ?? each),
      ),
    )
    .val(value)
  return select.on('change', () => taken(String(select.val())))
}
