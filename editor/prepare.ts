import { accessible } from './accessible'
import { openDialog, text, type Dialog, isCheckbox, stored } from './dialog'
import { operationForm } from './operation-form'
import { ownDialogs } from './own-dialogs'
import { parameterValue } from './parameter-value'
import { picks } from './picks'
import { presentValue } from './present-value'
import { quantityFields } from './quantity/fields'
import { reasons } from './reasons'
import { serviceForm } from './service-form'
import { putRight } from './put-right'
import { recordForms } from './record'
import { testConnection } from './test-connection'
import { typedFields } from './typed-fields'
import { holds } from '../lib/contract/reading/holds'

/** Activates the form of a node according to the attributes in its HTML. */
export function prepare(node: EditorNode) {
  const dialog = openDialog(node)
  defaults(dialog)
  onlyChoice(dialog)
  typedFields(dialog)
  picks(dialog)
  putRight(dialog)
  quantityFields(dialog)
  presentValue(dialog)
  parameterValue(dialog)
  serviceForm(dialog)
  operationForm(dialog)
  testConnection(dialog)
  outputs(dialog)
  visibility(dialog)
  recordForms(dialog)
  advanced(dialog)
  ownDialogs[node.type]?.prepare?.(dialog)
  accessible(dialog)
  reasons(dialog)
}

/** Opens a collapsed section of the form if one of its fields is not at its default. */
function advanced({ node, form, fields, input, value }: Dialog) {
  form.find('details').each((_index, details) => {
    const inside = fields.filter((field) => details.contains(input(field)[0] ?? null))
    details.open = inside.some((field) => value(field) !== text(node._def.defaults[field]?.value))
    details.addEventListener('toggle', () => RED.tray.resize())
  })
}

/** Fills fields that an older flow does not have with their defaults. */
function defaults({ node, fields, input }: Dialog) {
  for (const field of fields) {
    const definition = node._def.defaults[field]
    // Node-RED itself selects "none" in the list of configuration nodes, which has no empty entry.
    if (!definition || definition.type || node[field] !== undefined) continue
    const value = stored(node, field)
    if (isCheckbox(input(field))) input(field).prop('checked', value === true)
    else input(field).val(text(value))
  }
}

/** Selects the only device, or PLC, for a node that needs one and has none yet. */
function onlyChoice({ node, input }: Dialog) {
  for (const [field, { type, required }] of Object.entries(node._def.defaults)) {
    if (!type || !required || node[field]) continue
    const select = input(field)
    const choices = select.find('option').not('[value="_ADD_"]')
    if (choices.length === 1) select.val(choices.val() ?? '')
  }
}

/** Gives the node two outputs while the rule in `<input data-second-output="action=reboot">` holds. */
function outputs({ form, value }: Dialog) {
  const number = form.find('[data-second-output]')
  const rule = number.attr('data-second-output')
  if (rule === undefined) return
  const update = () => number.val(holds(rule, value) ? '2' : '1')
  form.on('change', update)
  update()
}

/** Shows an element with `data-when="field=one|several"` only while the field has one of the values. */
function visibility({ form, value }: Dialog) {
  const ruled = form.find('[data-when]').get()
  const update = () => {
    for (const element of ruled) element.hidden = !holds(element.dataset['when'] ?? '', value)
    RED.tray.resize()
  }
  form.on('change', update)
  update()
}
