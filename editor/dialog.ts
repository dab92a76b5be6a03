import { ownDialogs } from './own-dialogs'

/** The visible control of an input: a TypedInput hides the original. */
export function shownControl(element: JQuery): JQuery {
  const typed = element.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input')
  return typed.length ? typed : element
}

/** The open edit dialog of one node. */
export interface Dialog {
  node: EditorNode
  form: JQuery
  /** The names of the fields and credentials with an input in the form. */
  fields: readonly string[]
  /** The input that Node-RED reads and writes for a field; empty if there is none. */
  input: (field: string) => JQuery
  /** The present value of the input; `true` or `false` for a checkbox, '' if there is none. */
  value: (field: string) => string
  /** The translated label of a field. */
  label: (field: string) => string
}

/** The open dialog of a node; called once the form is complete. */
export function openDialog(node: EditorNode): Dialog {
  const prefix = inputPrefix(node)
  const form = $(`#${prefix}name`).closest('form')
  form.addClass('vision-dialog').attr('data-node', node.id)
  const input = (field: string) => form.find(`#${prefix}${field}`)
  const { defaults, credentials = {} } = node._def
  return {
    node,
    form,
    fields: Object.keys({ ...defaults, ...credentials }).filter((field) => input(field).length),
    input,
    value: (field) => valueOf(input(field)),
    label: (field) => labelOf(node, field),
  }
}

/** Whether it is still open: its controls must not be used any more once it is closed, such as by a late answer. */
export const isOpen = ({ form }: Dialog): boolean => form[0]?.isConnected ?? false

/** A field as the user sees it: from the node's dialog while that is open, otherwise as stored. */
export function fieldOf(node: EditorNode, field: string): string {
  const input = inputOf(node, field)
  return input.length ? valueOf(input) : text(stored(node, field))
}

/** The input of a field in the node's open dialog; empty while it is closed. */
export const inputOf = (node: EditorNode, field: string): JQuery =>
  $(`form[data-node="${node.id}"] #${inputPrefix(node)}${field}`)

/** The stored value of a field, or its default if the flow is older than the field. */
export const stored = (node: EditorNode, field: string) => node[field] ?? node._def.defaults[field]?.value

/** The translated label of a field: `label.<field>` in the catalog of its node. */
export const labelOf = (node: EditorNode, field: string) =>
  field === 'name' ? RED._('node-red:common.label.name') : node._(`${shortType(node)}.label.${field}`)

/** The node's type without the prefix of this package: the top key of its catalog. */
export const shortType = (node: EditorNode) => node.type.replace(/^vision-/, '')

/** The text of an input or of a stored field; `true` or `false` for a checkbox. */
export const text = (value: unknown) =>
  typeof value === 'string' ? value : ['number', 'boolean'].includes(typeof value) ? String(value) : ''

function valueOf(input: JQuery): string {
  const value = text(isCheckbox(input) ? input.prop('checked') : input.val())
  // Node-RED's value for "none" in a list of configuration nodes.
  return value === '_ADD_' ? '' : value
}

export const isCheckbox = (input: JQuery) => input.is('[type=checkbox]')

const inputPrefix = (node: EditorNode) =>
  node._def.category === 'config' ? 'node-config-input-' : 'node-input-'

const references: Readonly<Record<string, (value: string) => string>> = {
  form: namesOf,
  json: namesOf,
  msg: (value) => `msg.${value}`,
  flow: (value) => `flow.${key(value)}`,
  global: (value) => `global.${key(value)}`,
  env: (value) => `\${${value}}`,
}

/** Longest generated label, in characters. */
const longest = 40

/** The label of a node in the flow: its name, or what it works on, or the name of its type. */
export function label(node: EditorNode, fields: readonly string[]) {
  const name = text(node['name'])
  const own = ownDialogs[node.type]
  const made = own ? own.label(node) : joined(node, fields)
  return name || cut(made || node._(`${shortType(node)}.paletteLabel`))
}

const cut = (made: string) => (made.length > longest ? `${made.slice(0, longest - 1).trimEnd()}…` : made)

/** The values of several fields in a few words. */
export const joined = (node: EditorNode, fields: readonly string[]) =>
  fields
    .map((field) => abbreviated(node, field))
    .filter(Boolean)
    .join(' ')

/** The value of a field with a kind in a few characters: `fps`, `msg.payload`. */
export function abbreviated(node: EditorNode, field: string) {
  const value = text(node[field])
  const shown = value && (references[text(node[`${field}Type`])]?.(value) ?? value)
  return cut(shown)
}

/** Of a stored object of values, only the names. */
function namesOf(json: string): string {
  try {
    const given: unknown = JSON.parse(json)
    if (Array.isArray(given)) return given.join(', ')
    return typeof given === 'object' && given !== null ? Object.keys(given).join(', ') : json
  } catch {
    return json
  }
}

/** Node-RED writes `#:(store)::name` for a value in a named context store. */
const key = (value: string) => value.replace(/^#:\(.*?\)::/, '')

/** A text that several nodes share, from the catalog of device-config. */
export const sharedText = (key: string, values?: Record<string, string | number>): string =>
  RED._(`@cellsight/node-red-vision/device-config:device-config.${key}`, values)

/** An object with named values, which neither `null` nor a list is. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes that wait for the end of the click that is under way. */
const waiting: (() => void)[] = []

let isPressed = false

// A pointer goes down before the field that had the focus hears of its change.
if (typeof document !== 'undefined') {
  document.addEventListener('pointerdown', () => (isPressed = true), true)
  for (const end of ['pointerup', 'pointercancel'] as const) document.addEventListener(end, released, true)
}

function released(): void {
  isPressed = false
  // The click itself follows in the same turn.
  setTimeout(() => {
    for (const change of waiting.splice(0)) change()
  })
}

/**
 * Delays changes to the rows of a dialog until after the click that has left a field; otherwise its button would move
 * away from under the mouse.
 */
export function afterClick(element: JQuery, move: () => void): void {
  const change = () => {
    if (!element[0]?.isConnected) return
    move()
    RED.tray.resize()
  }
  if (isPressed) waiting.push(change)
  else setTimeout(change)
}

/**
 * Adds the accessible names and roles that Node-RED omits: for the parts of a TypedInput and the buttons beside a
 * device.
 */
export function accessible({ fields, input, label }: Dialog) {
  for (const field of fields) {
    accessibleTyped(input(field).next('.red-ui-typedInput-container'), label(field))
    const beside = input(field).nextAll('a.red-ui-button')
    button(beside.filter('[id$="-edit"]'), sharedText('spoken.edit', { field: label(field) }))
    button(beside.filter('[id$="-add"]'), sharedText('spoken.add', { field: label(field) }))
  }
}

/** Names the parts of one TypedInput. */
export function accessibleTyped(typed: JQuery, field: string) {
  const kinds = typed.find('.red-ui-typedInput-type-select')
  kinds.filter('.disabled').attr('aria-hidden', 'true')
  kinds.not('.disabled').attr({ 'aria-label': sharedText('spoken.kind', { field }), 'aria-haspopup': 'menu' })
  typed.find('.red-ui-typedInput-option-trigger').attr('aria-label', field)
  typed.find('.red-ui-typedInput-option-expand').attr('aria-label', sharedText('spoken.expand', { field }))
}

/** Node-RED draws these buttons as links without an address, which the keyboard cannot reach. */
function button(link: JQuery, name: string) {
  link.attr({ role: 'button', tabindex: '0', 'aria-label': name }).on('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    link.trigger('click')
  })
}

/** Work that nothing waits for: its failure is shown. */
export function inBackground(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) =>
    RED.notify(error instanceof Error ? error.message : String(error), 'error'),
  )
}
