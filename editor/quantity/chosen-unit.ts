/** Shows beside a number the unit that another field has (`data-unit-from`), as soon as it is chosen. */
export function showChosenUnit(element: JQuery, input: (field: string) => JQuery): void {
  const from = element.attr('data-unit-from')
  if (!from) return
  const choice = input(from)
  const show = () => element.siblings('.vision-unit').text(String(choice.val() ?? ''))
  choice.on('change', show)
  show()
}
