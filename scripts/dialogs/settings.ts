import type { Field, NodeDescription, NumberField } from '../../nodes/shared/fields/description'
import type { SharedTexts } from '../../nodes/shared/fields/checked-fields'
import { element, escaped } from './element'
import { choiceKey, hintKeys } from './parts'

/** Texts of the nodes by full key, and common ones. */
export interface Language {
  text: (key: string) => string
  words: SharedTexts
}

/** Settings in the help, always as in the dialog. */
export function settingsList(node: NodeDescription, language: Language): string {
  const entries = Object.entries(node.fields).map(([name, field]) => entry(node, name, field, language))
  const lines = entries.filter(Boolean).join('\n    ')
  return element('dl', { class: 'message-properties' }, '\n    ', lines, '\n  ')
}

function entry(node: NodeDescription, name: string, field: Field, language: Language): string {
  if (field.kind === 'record' || field.kind === 'button') return ''
  const { text, words } = language
  const hints = hintKeys(name, field).map(({ key }) => text(`${node.type}.hint.${key}`))
  const facts = [
    ...hints.map((hint) => (/[.:!?]$/.test(hint) ? hint : `${hint}.`)),
    ...choices(node, name, field, language),
    ...(field.kind === 'number' ? [bounds(field, words)] : []),
    ...byDefault(node, name, field, language),
  ]
  if (!facts.length) return ''
  const title = escaped(text(`${node.type}.label.${name}`))
  return element('dt', {}, title) + element('dd', {}, facts.join(' '))
}

const bounds = (field: NumberField, { range: plain, rangeOrZero, to }: SharedTexts) =>
  filled(field.zero ? rangeOrZero : plain, { range: range(field, to) })

const range = ({ least, most, unit }: NumberField, to: string) =>
  `${String(least)} ${to} ${withUnit(most, unit)}`

const withUnit = (value: number, unit: NumberField['unit']) =>
  unit === '1' ? String(value) : unit === '°' ? `${String(value)}°` : `${String(value)} ${unit}`

/** More choices are easier to read in the dialog. */
const mostChoices = 6

function choices(node: NodeDescription, name: string, field: Field, { text, words }: Language): string[] {
  if (field.kind !== 'choice' || field.choices.length > mostChoices) return []
  const labels = field.choices.map((choice) => escaped(text(choiceKey(node, name, field, choice))))
  return [filled(words.choices, { choices: labels.join('; ') })]
}

function byDefault(node: NodeDescription, name: string, field: Field, { text, words }: Language): string[] {
  const value = defaultOf()
  return value === '' ? [] : [filled(words.default, { value })]

  function defaultOf(): string {
    switch (field.kind) {
      case 'choice':
        return escaped(text(choiceKey(node, name, field, field.default)))
      case 'switch':
        return field.default ? words.on : words.off
      case 'number':
        return field.default === '' ? '' : withUnit(field.default, field.unit)
      case 'typed': {
        const kind = field.defaultKind ?? field.kinds[0] ?? 'str'
        const isReference = kind === 'msg' || kind === 'flow' || kind === 'global'
        return (
          field.default &&
          element('code', {}, escaped(isReference ? `${kind}.${field.default}` : field.default))
        )
      }
      case 'property':
        return element('code', {}, `msg.${escaped(field.default)}`)
      case 'text':
      case 'json':
        return field.default && element('code', {}, escaped(field.default))
      default:
        return ''
    }
  }
}

const filled = (pattern: string, values: Readonly<Record<string, string>>) =>
  pattern.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '')
