import { ownDialogs } from './own-dialogs'

/** A TypedInput hides the original. */
export function shownControl(element: JQuery): JQuery {
  const typed = element.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input')
  return typed.length ? typed : element
}

export interface Dialog {
  node: EditorNode
  form: JQuery
  fields: readonly string[]
  /** Read and written by Node-RED; empty if there is none. */
  input: (field: string) => JQuery
  /** `true` or `false` for a checkbox; '' if there is no input. */
  value: (field: string) => string
  label: (field: string) => string
}

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

/** Late answers must not touch a closed dialog. */
export const isOpen = ({ form }: Dialog): boolean => form[0]?.isConnected ?? false

/** From the open dialog, otherwise as stored. */
export function fieldOf(node: EditorNode, field: string): string {
  const input = inputOf(node, field)
  return input.length ? valueOf(input) : text(stored(node, field))
}

/** Empty while the dialog is closed. */
export const inputOf = (node: EditorNode, field: string): JQuery =>
  $(`form[data-node="${node.id}"] #${inputPrefix(node)}${field}`)

/** The default if the flow is older than the field. */
export const stored = (node: EditorNode, field: string) => node[field] ?? node._def.defaults[field]?.value

/** `label.<field>` in the node's catalog. */
export const labelOf = (node: EditorNode, field: string) =>
  field === 'name' ? RED._('node-red:common.label.name') : node._(`${shortType(node)}.label.${field}`)

/** Without this package's prefix: the top key of its catalog. */
export const shortType = (node: EditorNode) => node.type.replace(/^vision-/, '')

/** `true` or `false` for a checkbox. */
export const text = (value: unknown) =>
  typeof value === 'string' ? value : ['number', 'boolean'].includes(typeof value) ? String(value) : ''

function valueOf(input: JQuery): string {
  const value = text(isCheckbox(input) ? input.prop('checked') : input.val())
  // Node-RED's "none" in a list of config nodes.
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

/** Longest generated label, characters. */
const longest = 40

/** The name, or what the node works on, or its type. */
export function label(node: EditorNode, fields: readonly string[]) {
  const name = text(node['name'])
  const own = ownDialogs[node.type]
  const made = own ? own.label(node) : joined(node, fields)
  return name || cut(made || node._(`${shortType(node)}.paletteLabel`))
}

const cut = (made: string) => (made.length > longest ? `${made.slice(0, longest - 1).trimEnd()}…` : made)

export const joined = (node: EditorNode, fields: readonly string[]) =>
  fields
    .map((field) => abbreviated(node, field))
    .filter(Boolean)
    .join(' ')

/** `fps`, `msg.payload` */
export function abbreviated(node: EditorNode, field: string) {
  const value = text(node[field])
  const shown = value && (references[text(node[`${field}Type`])]?.(value) ?? value)
  return cut(shown)
}

/** Only the names of a stored object of values. */
function namesOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : json
  } catch {
    return json
  }
}

/** `#:(store)::name`: a value in a named context store. */
const key = (value: string) => value.replace(/^#:\(.*?\)::/, '')

export const sharedText = (key: string, values?: Record<string, string | number>): string =>
  RED._(`@cellsight/node-red-vision/device-config:device-config.${key}`, values)

/** Neither `null` nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Until the current click has ended. */
const waiting: (() => void)[] = []

let isPressed = false

// The pointer goes down before the focused field reports its change.
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

/** Delays changes of rows until after the click that left a field; otherwise its button would move from under the mouse. */
export function afterClick(element: JQuery, move: () => void): void {
  const change = () => {
    if (!element[0]?.isConnected) return
    move()
    RED.tray.resize()
  }
  if (isPressed) waiting.push(change)
  else setTimeout(change)
}

/** Adds names and roles that Node-RED omits, to TypedInputs and to the buttons beside a device. */
export function accessible({ fields, input, label }: Dialog) {
  for (const field of fields) {
    accessibleTyped(input(field).next('.red-ui-typedInput-container'), label(field))
    const beside = input(field).nextAll('a.red-ui-button')
    button(beside.filter('[id$="-edit"]'), sharedText('spoken.edit', { field: label(field) }))
    button(beside.filter('[id$="-add"]'), sharedText('spoken.add', { field: label(field) }))
  }
}

export function accessibleTyped(typed: JQuery, field: string) {
  const kinds = typed.find('.red-ui-typedInput-type-select')
  kinds.filter('.disabled').attr('aria-hidden', 'true')
  kinds.not('.disabled').attr({ 'aria-label': sharedText('spoken.kind', { field }), 'aria-haspopup': 'menu' })
  typed.find('.red-ui-typedInput-option-trigger').attr('aria-label', field)
  typed.find('.red-ui-typedInput-option-expand').attr('aria-label', sharedText('spoken.expand', { field }))
}

/** Links without an address, which the keyboard cannot reach. */
function button(link: JQuery, name: string) {
  link.attr({ role: 'button', tabindex: '0', 'aria-label': name }).on('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    link.trigger('click')
  })
}

export function inBackground(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) =>
    RED.notify(error instanceof Error ? error.message : String(error), 'error'),
  )
}
