import type { Parameter } from '../../lib/contract'
import {
  type FormShape,
  type Leaf,
  parameterLeaf,
  referenceIn,
  referenceKinds,
} from '../../lib/contract/reading/form/form-shape'
import { parameterUnit } from '../../lib/contract/reading/values'
import { limitsText, valueText } from '../texts'
import type { Offer } from '../picks/offers'
import { numberIn } from '../quantity'
import { sharedText } from '../dialog'

export interface Names {
  /** Any JSON value if unknown. */
  shapeOf: (name: string) => FormShape | undefined
  load?: (fresh: boolean) => Promise<readonly Offer[]>
  presentOf?: (name: string) => unknown
}

export interface Field {
  shape: FormShape
  label: string
  path: string
  value: unknown
  depth: number
}

export interface Context {
  /** For any shape, with nested parts. */
  rows: (field: Field) => FormPart
  changed: () => void
  resized: () => void
  offersOf?: ((path: string) => ((fresh: boolean) => Promise<readonly Offer[]>) | undefined) | undefined
  texts: { add: string }
}

export interface FormPart {
  element: JQuery
  /** Undefined if empty. */
  read: () => unknown
}

export const anyValue: Leaf = { is: 'leaf', type: 'any' }

/** Node-RED's typed input: a built-in name, or a definition. */
export type InputKind = string | KindDefinition

interface KindDefinition {
  value: string
  label: string
  icon?: string
  hasValue?: boolean
  validate?: (text: string) => boolean
  /** Called again whenever the value is set from outside. */
  valueLabel?: (this: TypedInput, container: JQuery, value: string) => void
}

interface TypedInput {
  input: JQuery
}

export const isNumeric = (type: string) => /^(u?int\d+|float\d+|integer|number)$/.test(type)

/** Those that fit the type, then all other sources. */
export const kindsOf = (leaf: Leaf, name: string): InputKind[] => [
  ...fixedKinds(leaf, name),
  ...referenceKinds,
]

/** Of a fixed value. */
export function fixedKinds(leaf: Leaf, name: string): InputKind[] {
  const { type, choices, required } = leaf
  if (type === 'bool') return [required ? switched(name) : chosen('bool', name, ['true', 'false'], leaf)]
  if (choices) return [chosen('str', name, choices, leaf)]
  if (type === 'string' || type === 'file') return ['str']
  if (isNumeric(type)) return [numberKind(leaf.unit)]
  return type === 'json' ? ['json'] : ['str', numberKind(), 'bool', 'json']
}

/** With a unit or a decimal comma. */
export const numberKind = (unit = ''): InputKind => ({
  value: 'num',
  label: RED._('typedInput.type.num'),
  icon: 'red/images/typedInput/09.svg',
  validate: (text) => text === '' || 'value' in numberIn(text, unit),
})

export const kindName = (kind: InputKind) => (typeof kind === 'string' ? kind : kind.value)

const switched = (name: string): InputKind => ({
  value: 'bool',
  label: sharedText('form.switch'),
  icon: 'red/images/typedInput/bool.svg',
  valueLabel(container, value) {
    const { input } = this
    if (value !== 'true') input.val('false')
    const box = $('<input type="checkbox" role="switch">').attr('aria-label', name)
    const state = $('<span aria-hidden="true">')
    const show = () => state.text(sharedText(box.prop('checked') ? 'form.on' : 'form.off'))
    box.prop('checked', value === 'true').on('change', (event) => {
      // The typed input itself reports the change.
      event.stopPropagation()
      show()
      input.val(String(box.prop('checked'))).trigger('change')
    })
    show()
    container.append($('<label class="vision-switch">').append(box, state))
  },
})

/** A stored value outside the choices is kept and shown. */
const chosen = (
  kind: 'str' | 'bool',
  name: string,
  choices: readonly string[],
  { required }: Leaf,
): InputKind => ({
  value: kind,
  label: sharedText(kind === 'bool' ? 'form.switch' : 'form.choice'),
  icon: `red/images/typedInput/${kind === 'bool' ? 'bool' : 'az'}.svg`,
  valueLabel(container, value) {
    const { input } = this
    const offered = new Set([...(required && value !== '' ? [] : ['']), value, ...choices])
    const texts: Record<string, string> = {
      '': required ? '' : sharedText('form.notSent'),
      ...(kind === 'bool' && { true: sharedText('form.on'), false: sharedText('form.off') }),
    }
    const select = $('<select>')
      .attr('aria-label', name)
      .append(
        [...offered].map((choice) =>
          $('<option>')
            .val(choice)
            .text(texts[choice] ?? choice),
        ),
      )
      .val(value)
      .on('change', (event) => {
        event.stopPropagation()
        input.val(String(select.val())).trigger('change')
      })
    container.append(select)
  },
})

const beginnings: Readonly<Record<string, string>> = { msg: 'payload', bool: 'true' }

/** Keeps the text of each kind, so that switching loses nothing. @param first initial text */
export function perKind(element: JQuery, first: (kind: string) => string | undefined): void {
  const texts: Record<string, string> = {}
  let kind = kindOf(element)
  let text = textOf(element)
  element.on('change', () => {
    const now = kindOf(element)
    if (now !== kind) {
      texts[kind] = text
      kind = now
      element.typedInput('value', texts[now] ?? first(now) ?? beginnings[now] ?? '')
    }
    text = textOf(element)
  })
}

export const kindOf = (element: JQuery) => element.typedInput('type')
export const textOf = (element: JQuery) => element.typedInput('value')

export const parameterShape = (record: Parameter): Leaf => ({
  ...parameterLeaf(record),
  about: parameterAbout(record),
})

/** `Now 25 Hz; 1 to 25 Hz; default 25 Hz` */
export function parameterAbout(record: Parameter): string {
  const unit = parameterUnit(record)
  return [
    sharedText('present.now', { value: valueText(record.value, unit) }),
    limitsText(record),
    sharedText('present.byDefault', { value: valueText(record.default, unit) }),
  ]
    .filter(Boolean)
    .join('; ')
}

/** Paths of referenced values, `pose.position.x`, and of text with `${NAME}`. */
export function referencesIn(value: unknown, path = ''): string[] {
  if (referenceIn(value) || (typeof value === 'string' && value.includes('${'))) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) =>
    referencesIn(inside, pathTo(path, Array.isArray(value), name)),
  )
}

export const pathTo = (path: string, isList: boolean, name: string) =>
  isList ? `${path}[${Number(name) + 1}]` : path ? `${path}.${name}` : name

/** After each `_`: long device names must fit into a narrow dialog. */
export const breakable = (name: string): (string | JQuery)[] =>
  name.split(/(?<=_)/).flatMap((part, index) => (index ? [$('<wbr>'), part] : [part]))
