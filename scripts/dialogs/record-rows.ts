import type {
  NodeDescription,
  RecordField,
  RecordList,
  RecordRow,
} from '../../nodes/shared/fields/description'
import { element } from './element'
import { iconOf, inputId } from './parts'

/** The forms, of which the editor shows one, and the hidden input that stores the record. */
export function recordRows(node: NodeDescription, name: string, { forms, unitField }: RecordField): string {
  let ids = 0
  const freshId = () => `vision-record-${++ids}`
  const parts = forms.map(({ when, rows }) =>
    element(
      'div',
      { 'data-record': name, 'data-unit-field': unitField, 'data-when': when },
      ...rows.map((row) => recordRow(node, row, freshId)),
    ),
  )
  return [element('input', { type: 'hidden', id: inputId(node, name) }), ...parts].join('\n')
}

function recordRow(node: NodeDescription, row: RecordRow, freshId: () => string): string {
  if ('list' in row) return listRows(node, row, freshId)
  const { label: key, icon, if: rule } = row
  const label = (id?: string) =>
    element('label', { for: id, 'data-i18n': `[append]${node.type}.form.${key}` }, iconOf(icon), ' ')
  const line = (attributes: object, ...content: string[]) =>
    element('div', { class: 'form-row', 'data-if': rule, ...attributes }, ...content)
  const controls = (...content: string[]) => element('div', { class: 'vision-control' }, ...content)

  if ('numbers' in row) {
    const { numbers, axes = '', measure, needed } = row
    const parts = { 'data-numbers': numbers, 'data-parts': axes.split('').join(','), 'data-measure': measure }
    return line({ ...parts, 'data-needed': needed }, label(), controls())
  }
  const id = freshId()
  if ('choices' in row) {
    const options = row.choices.map((value) =>
      element('option', { value, 'data-i18n': `${node.type}.choice.${value}` }),
    )
    return line({}, label(id), controls(element('select', { id, 'data-path': row.path }, ...options)))
  }
  const { path, needed, placeholder } = row
  const example = placeholder && `[placeholder]${node.type}.placeholder.${placeholder}`
  const input = { type: 'text', id, 'data-path': path, 'data-needed': needed, 'data-i18n': example }
  return line({}, label(id), controls(element('input', input)))
}

const listRows = (node: NodeDescription, { list, rows, add }: RecordList, freshId: () => string): string =>
  element(
    'div',
    { 'data-list': list },
    element('div', { 'data-element': true }, ...rows.map((row) => recordRow(node, row, freshId))),
    element('button', {
      ...{ type: 'button', class: 'red-ui-button red-ui-button-small', 'data-add': true },
      'data-i18n': `${node.type}.form.${add}`,
    }),
  )
