import {
  openDialog,
  shownControl,
  accessible,
  afterClick,
  type Dialog,
  isCheckbox,
  sharedText,
  stored,
  text,
} from './dialog'
import { storedKind, formKind } from './forms/form'
import { numberIn, unitOf, quantityFields } from './quantity'
import { holds } from '../lib/contract/reading/values'
import type { Check } from './field-checks'
import { ownDialogs } from './own-dialogs'
import { parameterValue, presentValue } from './parameter-value'
import { picks } from './picks'
import { recordForms } from './record'
import { operationForm, serviceForm } from './service-form'
import { deviceSearch } from './device-search'
import { testConnection } from './test-connection'

/** Before Node-RED reads the form: trims texts, converts numbers, removes unused logins. */
export function save(node: EditorNode) {
  const { form, fields, input, value } = openDialog(node)
  // The focused control has not been left: "Done" has a key too.
  form.find(':focus').trigger('change')
  // Node-RED leaves an empty default out of a new config node.
  for (const [field, { value: byDefault }] of Object.entries(node._def.defaults))
    if (node[field] === undefined) Object.assign(node, { [field]: byDefault })
  for (const field of fields) {
    const element = input(field)
    if (element.is('[data-trim], [inputmode]')) element.val(value(field).trim())
    const number = element.is('[inputmode]') ? numberIn(value(field), unitOf(node, field)) : undefined
    if (number && 'value' in number) {
      element.val(String(number.value))
      // Node-RED keeps the stored number if it equals the text in the form.
      Object.assign(node, { [field]: number.value })
    }
    if (form.find(`[data-form="${field}"]`).length)
      input(`${field}Type`).val(storedKind(value(`${field}Type`), value(field)))
    if (node._def.credentials?.[field] && element.closest('[hidden]').length) element.val('')
  }
}

export function saveText(content: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/plain' }))
  const [link] = $('<a>').attr({ href: url, download: name }).get()
  link?.click()
  URL.revokeObjectURL(url)
}

export function prepare(node: EditorNode) {
  const dialog = openDialog(node)
  defaults(dialog)
  switches(dialog)
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
  deviceSearch(dialog)
  outputs(dialog)
  visibility(dialog)
  recordForms(dialog)
  advanced(dialog)
  ownDialogs[node.type]?.prepare?.(dialog)
  accessible(dialog)
  reasons(dialog)
}

/** Opens sections with a field that is not at its default. */
function advanced({ node, form, fields, input, value }: Dialog) {
  form.find('details').each((_index, details) => {
    const inside = fields.filter((field) => details.contains(input(field)[0] ?? null))
    details.open = inside.some((field) => value(field) !== text(node._def.defaults[field]?.value))
    details.addEventListener('toggle', () => RED.tray.resize())
  })
}

/** Node-RED ticks a checkbox for every text, even `"false"`, and *Done* would store a permission. Only true ticks it. */
function switches({ node, fields, input }: Dialog) {
  for (const field of fields) {
    const storedValue = node[field]
    if (typeof storedValue === 'string' && isCheckbox(input(field)))
      input(field).prop('checked', /^\s*(?:true|yes|on|1)\s*$/i.test(storedValue))
  }
}

function defaults({ node, fields, input }: Dialog) {
  for (const field of fields) {
    const definition = node._def.defaults[field]
    // Node-RED itself selects "none" in a list of config nodes, which has no empty entry.
    if (!definition || definition.type || node[field] !== undefined) continue
    const value = stored(node, field)
    if (isCheckbox(input(field))) input(field).prop('checked', value === true)
    else input(field).val(text(value))
  }
}

/** Selects the only device or PLC for a new node. */
function onlyChoice({ node, input }: Dialog) {
  for (const [field, { type, required }] of Object.entries(node._def.defaults)) {
    if (!type || !required || node[field]) continue
    const select = input(field)
    const choices = select.find('option').not('[value="_ADD_"]')
    if (choices.length === 1) select.val(choices.val() ?? '')
  }
}

/** The only configuration node for a new node that has just come from the palette, without its dialog. */
export function takeOnly(node: EditorNode, field: string, type: string) {
  const found: string[] = []
  RED.nodes.eachConfig((config) => {
    if (config.type === type) found.push(config.id)
    return true
  })
  if (found.length === 1 && !node[field]) Object.assign(node, { [field]: found[0] })
}

/** Two outputs under the rule `data-second-output="action=reboot"`. */
function outputs({ form, value }: Dialog) {
  const number = form.find('[data-second-output]')
  const rule = number.attr('data-second-output')
  if (rule === undefined) return
  const update = () => number.val(holds(rule, value) ? '2' : '1')
  form.on('change', update)
  update()
}

/** `data-when="field=one|several"` */
function visibility({ form, value }: Dialog) {
  const ruled = form.find('[data-when]').get()
  const update = () => {
    for (const element of ruled) element.hidden = !holds(element.dataset['when'] ?? '', value)
    RED.tray.resize()
  }
  form.on('change', update)
  update()
}

/** Why a value is invalid, below a visited field, and for screen readers. */
function reasons({ node, form, fields, input, value }: Dialog) {
  const visited = new Set<string>()
  for (const field of fields) {
    const visit = () => visited.add(field)
    input(field).on('change', () => value(field) !== '' && visit())
    input(field).closest('.form-row').on('input', visit).on('focusout', visit)
  }
  form.on('input change keyup paste focusout', update)
  update()

  function update() {
    for (const field of fields) show(field, reasonOf(field))
  }

  function reasonOf(field: string) {
    const definition = node._def.defaults[field] ?? node._def.credentials?.[field]
    const entered = value(field).trim()
    if (/^\$\{\w+\}$/.test(entered)) return undefined
    const reason = (definition?.validate as Check | undefined)?.reason
    if (reason) return reason(node, entered)
    // Node-RED itself checks only references to config nodes.
    return definition?.required && !entered ? sharedText('reason.choose') : undefined
  }

  function show(field: string, reason: string | undefined) {
    const element = input(field)
    const row = element.closest('.form-row')
    const shown = shownControl(element)
    shown.attr('aria-invalid', reason === undefined ? null : 'true')
    let line = row.children('.vision-reason')
    if (!line.length) line = $('<div class="vision-reason" role="status">').appendTo(row)
    // A form below shows the reason at its own field.
    const isBelow = form.find(`[data-form="${field}"]`).children().length > 0
    line.text(reason !== undefined && visited.has(field) && !isBelow ? reason : '')
    describe(shown, row)
  }
}

function describe(control: JQuery, row: JQuery) {
  const ids = row
    .find('.vision-unit, .vision-hint, .vision-reason')
    .get()
    .map((element, index) => (element.id ||= `${control.attr('id') ?? ''}-about-${index}`))
  control.attr('aria-describedby', ids.join(' '))
}

/** For every `<input data-kinds="str,msg,…">`. The kind is stored in `<name>Type`; the first one is the default. */
function typedFields({ node, form, fields, input }: Dialog) {
  for (const field of fields) {
    const typed = input(field)
    const kinds = typed.attr('data-kinds')?.split(',')
    if (!kinds) continue
    const types = kinds.map((kind) => (kind === 'form' ? formKind() : kind))
    const typeField = `${field}Type` in node._def.defaults ? hiddenInput(`${field}Type`) : undefined
    typed.typedInput({ default: kinds[0], types: types as never, typeField })
    // A TypedInput moves the text to its own input, which the label must refer to.
    const id = `${typed.attr('id') ?? ''}-text`
    typed.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input').attr('id', id)
    form.find(`label[for="${typed.attr('id') ?? ''}"]`).attr('for', id)
  }

  function hiddenInput(field: string) {
    const id = (input('name').attr('id') ?? '').replace(/name$/, field)
    return $('<input type="hidden">')
      .attr('id', id)
      .val(text(stored(node, field)))
      .appendTo(form)
  }
}

/** When the user leaves it; shows the change below. */
function putRight({ node, fields, input, value }: Dialog) {
  for (const field of fields) {
    const { normalize } = (node._def.defaults[field]?.validate as Check | undefined) ?? {}
    if (!normalize) continue
    const element = input(field)
    const line = $('<div class="vision-hint" role="status">').appendTo(element.closest('.form-row'))
    // Node-RED fires a change of every field when it opens the dialog.
    let isTyped = false
    element.on('input', () => {
      isTyped = true
      line.text('')
    })
    element.on('change', () => {
      if (!isTyped) return
      const before = value(field).trim()
      const after = normalize(before)
      if (after === before) return
      element.val(after)
      afterClick(line, () => line.text(sharedText('form.putRight', { before, after })))
    })
  }
}
