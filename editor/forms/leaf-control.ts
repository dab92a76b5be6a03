import type { Leaf } from '../../lib/contract/reading/form/form-shape'
import { accessibleTyped } from '../accessible'
import { numberIn } from '../quantity/number-in'
import { kindName, kindsOf } from './kinds'
import { jsonIn, leafReason, typeText } from './leaf-reason'
import { kindOf, perKind, textOf } from './per-kind'
import { isReferenceKind, reference, referenceIn } from '../../lib/contract/reading/form/reference'

/** The control of one value of a form. */
export interface Control {
  /** The input that Node-RED's typed input hides. */
  element: JQuery
  /** The value as stored; undefined if the field is empty. */
  read: () => unknown
  reason: () => string | undefined
}

interface Options {
  leaf: Leaf
  /** For a screen reader: the path, `pose.position.x`. */
  name: string
  value: unknown
  changed: () => void
}

/** Puts a typed input into `place`: a fixed value that fits the type, or another source. */
export function leafControl(place: JQuery, { leaf, name, value, changed }: Options): Control {
  const kinds = kindsOf(leaf, name)
  const fixed = kindName(kinds[0] ?? 'str')
  const given = givenAs(value, fixed)
  if (!kinds.map(kindName).includes(given.kind)) kinds.push(given.kind)
  const element = $('<input type="text" style="width: 100%">')
    .attr('placeholder', leaf.unit ? `${typeText(leaf)} (${leaf.unit})` : typeText(leaf))
    .val(given.text)
    .appendTo(place)
  element.typedInput({ default: given.kind, types: kinds as never })
  perKind(element, (kind) => (kind === fixed ? '' : undefined))
  const container = element.next('.red-ui-typedInput-container')
  accessibleTyped(container, name)
  container.find('.red-ui-typedInput-input').attr('aria-label', name)
  element.on('change', changed)
  container.find('.red-ui-typedInput-input').on('input', changed)

  const read = () => {
    const kind = kindOf(element)
    const text = textOf(element)
    if (isReferenceKind(kind)) return reference(kind, text, leaf.type === 'file' ? undefined : asked(leaf))
    // An empty text that was typed as JSON is kept.
    return fixedValue(kind, text, {
      unit: leaf.unit ?? '',
      mayBeEmpty: leaf.mayBeEmpty === true || value === '',
    })
  }
  return { element, read, reason: () => leafReason(leaf, kindOf(element), textOf(element)) }
}

/** The type that a value from another source must have; none for any JSON value. */
const asked = ({ type }: Leaf) => (type === 'any' || type === 'json' ? undefined : type)

/** The kind and the text with which a typed input shows a stored value. */
export function givenAs(value: unknown, fixed: string): { kind: string; text: string } {
  if (value === undefined) return { kind: fixed, text: '' }
  const from = referenceIn(value)
  if (from) return from
  if (fixed === 'json' && typeof value !== 'string') return { kind: 'json', text: JSON.stringify(value) }
  if (typeof value === 'string') return { kind: 'str', text: value }
  if (typeof value === 'number') return { kind: 'num', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'bool', text: String(value) }
  return { kind: 'json', text: JSON.stringify(value) }
}

/** A value that cannot be read as its kind stays a text, with the reason shown at the field. */
function fixedValue(
  kind: string,
  text: string,
  { unit, mayBeEmpty }: { unit: string; mayBeEmpty: boolean },
): unknown {
  if (text === '') return kind === 'str' && mayBeEmpty ? '' : undefined
  const number = kind === 'num' ? numberIn(text, unit) : undefined
  if (number) return 'value' in number ? number.value : text
  if (kind === 'bool') return text === 'true'
  const parsed = kind === 'json' ? jsonIn(text) : undefined
  return parsed === undefined ? text : parsed
}
