import type { Field, NodeDescription } from '../../nodes/shared/fields/description'
import { control } from './control'
import { element } from './element'
import { hintKeys, hintOf, iconOf, inputId } from './parts'
import { recordRows } from './record-rows'

/** Name, a row per field, collapsible sections. */
export function formRows(node: NodeDescription): string {
  const fields = Object.entries(node.fields)
  const main = fields.filter(([, field]) => !sectionOf(field))
  const rows = main.map(([name, field]) => row(node, name, field))
  const isConfig = node.group === 'config'
  const all = [...(isConfig ? [nameRow(node)] : rows), ...(isConfig ? rows : []), ...sections(node)]
  return [...all, ...(isConfig ? [] : [nameRow(node)]), ...secondOutput(node)].join('\n')
}

const sectionOf = (field: Field) => ('section' in field ? field.section : undefined)

function sections(node: NodeDescription): string[] {
  const fields = Object.entries(node.fields)
  const names = new Set(fields.flatMap(([, field]) => sectionOf(field) ?? []))
  return [...names].map((section) =>
    element(
      'details',
      {},
      element('summary', { 'data-i18n': `${node.type}.section.${section}` }),
      ...fields
        .filter(([, field]) => sectionOf(field) === section)
        .map(([name, field]) => row(node, name, field)),
    ),
  )
}

/** Label, control, and hints below. */
function row(node: NodeDescription, name: string, field: Field): string {
  if (field.kind === 'record') return recordRows(node, name, field)
  const isButton = field.kind === 'button'
  const classes = { switch: ' vision-check', button: ' vision-test' } as const
  const look = field.kind === 'switch' || isButton ? classes[field.kind] : ''
  const line = element(
    'div',
    { class: `form-row${look}`, 'data-when': field.when },
    isButton ? '' : label(node, name, field.icon, `${node.type}.label.${name}`),
    element('div', { class: 'vision-control' }, control(node, name, field)),
    ...(field.kind === 'switch' ? [] : hints(node, name, field)),
  )
  return line + formPlace(name, field)
}

function label(node: NodeDescription, name: string, icon: string, key: string): string {
  return element('label', { for: inputId(node, name), 'data-i18n': `[append]${key}` }, iconOf(icon), ' ')
}

function hints(node: NodeDescription, name: string, field: Exclude<Field, { kind: 'record' }>): string[] {
  const live = { class: 'vision-hint', role: 'status' }
  const present =
    field.kind === 'typed' && field.presentOf
      ? [
          element('div', {
            ...live,
            'data-present': field.presentOf.field,
            'data-when': field.presentOf.when,
          }),
        ]
      : []
  const about =
    field.kind === 'text' && field.operationFor
      ? [element('div', { ...live, 'data-about-operation': true })]
      : []
  return [...present, ...about, ...hintKeys(name, field).map((hint) => hintOf(node, 'div', hint))]
}

/** Filled by the editor. */
function formPlace(name: string, field: Field): string {
  if (field.kind !== 'typed' || !field.form) return ''
  return element('div', {
    class: 'vision-form-place',
    'data-form': name,
    'data-service': field.form.of === 'service' || undefined,
    'data-parameters': field.form.of === 'parameters' ? field.form.severalWhen : undefined,
    'data-parameters-of-nodes': field.form.of === 'parameters' ? field.form.nodesWhen : undefined,
  })
}

function nameRow(node: NodeDescription): string {
  const example = node.group === 'config' && node.namePlaceholder
  const key = 'node-red:common.label.name'
  return element(
    'div',
    { class: 'form-row' },
    label(node, 'name', 'tag', key),
    element(
      'div',
      { class: 'vision-control' },
      element('input', {
        type: 'text',
        id: inputId(node, 'name'),
        'data-i18n': `[placeholder]${example ? `${node.type}.placeholder.name` : key}`,
      }),
    ),
  )
}

function secondOutput(node: NodeDescription): string[] {
  if (node.group === 'config' || !node.secondOutputWhen) return []
  const rule = { 'data-second-output': node.secondOutputWhen }
  return [element('input', { type: 'hidden', id: inputId(node, 'outputs'), ...rule })]
}
