import type {
  ButtonField,
  ChoiceField,
  Field,
  NodeDescription,
  NumberField,
  TypedField,
} from '../../nodes/shared/fields/description'
import { element, escaped, type Attributes } from './element'
import { choiceKey, hintKeys, hintOf, iconOf, inputId } from './parts'

type ControlField = Exclude<Field, { kind: 'record' }>

/** With its unit or sentence. */
export function control(node: NodeDescription, name: string, field: ControlField): string {
  const id = inputId(node, name)
  const text = { type: 'text', id, ...placeholder(node, name, field) }
  switch (field.kind) {
    case 'text':
      return element('input', { ...text, 'data-trim': true, 'data-operation': field.operationFor })
    case 'number':
      return number(node, name, field, text)
    case 'choice':
      return choice(node, name, field, id)
    case 'switch':
      return (
        element('input', { type: 'checkbox', id }) +
        hintKeys(name, field)
          .map((hint) => hintOf(node, 'span', hint))
          .join('')
      )
    case 'typed':
      return element('input', { ...text, ...typed(field) })
    case 'property':
      return element('input', { ...text, 'data-kinds': 'msg' })
    case 'json':
      return element('input', { ...text, 'data-kinds': 'json' })
    case 'config':
      return element('input', text)
    case 'credential':
      return element('input', { type: field.secret ? 'password' : 'text', id })
    case 'button':
      return button(node, name, field)
  }
}

function placeholder({ type }: NodeDescription, name: string, field: ControlField): Attributes {
  if (!('placeholder' in field)) return {}
  return field.placeholder === true
    ? { 'data-i18n': `[placeholder]${type}.placeholder.${name}` }
    : { placeholder: field.placeholder }
}

function number({ type }: NodeDescription, name: string, field: NumberField, text: Attributes): string {
  const { unit, unitFrom, unitText, least, most, whole } = field
  const input = element('input', {
    ...text,
    inputmode: whole ? 'numeric' : 'decimal',
    'data-unit': unit === '1' ? undefined : unit,
    'data-unit-from': unitFrom,
    'data-least': least,
    'data-most': most,
  })
  if (unitText) return input + element('span', { class: 'vision-unit', 'data-i18n': `${type}.unit.${name}` })
  if (unitFrom) return input + element('span', { class: 'vision-unit' })
  return unit === '1' ? input : input + element('span', { class: 'vision-unit' }, escaped(unit))
}

function choice(node: NodeDescription, name: string, field: ChoiceField, id: string): string {
  const options = field.choices.map((value) =>
    element('option', { value, 'data-i18n': choiceKey(node, name, field, value) }),
  )
  return element('select', { id }, ...options)
}

const typed = ({ kinds, pick, severalWhen }: TypedField): Attributes => ({
  'data-kinds': kinds.join(','),
  'data-pick': pick,
  'data-pick-several': severalWhen,
})

const buttons = { 'test-connection': 'data-test-connection', 'try-service': 'data-try' } as const

const button = ({ type }: NodeDescription, name: string, { does, icon }: ButtonField) =>
  element(
    'button',
    { type: 'button', class: 'red-ui-button', [buttons[does]]: true },
    iconOf(icon),
    ' ',
    element('span', { 'data-i18n': `${type}.label.${name}` }),
  )
