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
