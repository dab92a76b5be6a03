import type { ChoiceField, Field, NodeDescription } from '../../nodes/shared/fields/description'
import { element } from './element'

export const iconOf = (icon: string) => element('i', { class: `fa fa-fw fa-${icon}`, 'aria-hidden': 'true' })

export const inputId = ({ group }: NodeDescription, name: string) =>
  `${group === 'config' ? 'node-config-input' : 'node-input'}-${name}`

export interface Hint {
  key: string
  when?: string
}

/** With their rules. */
export function hintKeys(name: string, field: Field): Hint[] {
  if (field.kind === 'record' || !field.hint) return []
  if (field.hint === true) return [{ key: name }]
  return Object.entries(field.hint).map(([key, when]) => ({ key, when }))
}

export const hintOf = ({ type }: NodeDescription, tag: 'div' | 'span', { key, when }: Hint) =>
  element(tag, { class: 'vision-hint', 'data-when': when, 'data-i18n': `[html]${type}.hint.${key}` })

export function choiceKey({ type }: NodeDescription, name: string, { labels }: ChoiceField, choice: string) {
  const at = labels?.node ?? type
  const space = at === type ? '' : `@cellsight/node-red-vision/${at}:`
  return `${space}${at}.${labels?.key ?? name}.${choice || 'empty'}`
}
