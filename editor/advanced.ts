import { text, type Dialog } from './dialog'

/** Opens a collapsed section of the form if one of its fields is not at its default. */
export function advanced({ node, form, fields, input, value }: Dialog) {
  form.find('details').each((_index, details) => {
    const inside = fields.filter((field) => details.contains(input(field)[0] ?? null))
    details.open = inside.some((field) => value(field) !== text(node._def.defaults[field]?.value))
    details.addEventListener('toggle', () => RED.tray.resize())
  })
}
