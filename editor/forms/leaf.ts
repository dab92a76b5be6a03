import {
  isReferenceKind,
  type Leaf,
  reference,
  referenceIn,
} from '../../lib/contract/reading/form/form-shape'
import { accessibleTyped, afterClick, sharedText } from '../dialog'
import { offersList } from '../picks/offers'
import { numberIn, understood, understoodLine } from '../quantity'
import {
  breakable,
  type Context,
  fixedKinds,
  type FormPart,
  isNumeric,
  kindName,
  kindOf,
  kindsOf,
  perKind,
  textOf,
} from './context'

let count = 0

interface Options {
  leaf: Leaf
  /** Last part of the path; empty if the row shows something else. */
  label: string
  path: string
  value: unknown
}

export function leafRow(context: Context, { leaf, label, path, value }: Options): FormPart {
  const element = $('<div class="vision-form-row">')
  if (label)
    $('<span class="vision-form-label" aria-hidden="true">')
      .append(...breakable(label))
      .appendTo(element)
  const place = $('<div class="vision-form-value">').appendTo(element)
  const control = leafControl(place, { leaf, name: path, value, changed })
  const about = $('<div class="vision-form-about">')
    .text(leaf.about ?? '')
    .appendTo(element)
  const hint = understoodLine().appendTo(element)
  const line = $('<div class="vision-form-reason" role="status">').appendTo(element)
  let visited = value !== undefined
  element.on('focusout', () => {
    visited = true
    afterClick(element, update)
  })
  const shown = place.find('.red-ui-typedInput-input')
  understood(shown, {
    line: hint,
    unit: () => (kindOf(control.element) === 'num' ? (leaf.unit ?? '') : undefined),
    put: (text) => control.element.typedInput('value', text),
  })
  const id = `vision-form-${++count}`
  about.attr('id', `${id}-about`)
  hint.attr('id', `${id}-meant`)
  line.attr('id', `${id}-reason`)
  shown.attr('aria-describedby', `${id}-about ${id}-meant ${id}-reason`)
  const load = context.offersOf?.(path)
  if (load) offersList({ place, shown, name: path, load, isActive: () => kindOf(control.element) === 'str' })
  update()

  function changed() {
    update()
    context.changed()
  }

  function update() {
    const reason = control.reason()
    place.find('.red-ui-typedInput-input, select, [role=switch]').attr('aria-invalid', reason ? 'true' : null)
    line.text(reason && visited ? reason : '')
  }

  return { element, read: control.read }
}

interface Control {
  /** Hidden by Node-RED's typed input. */
  element: JQuery
  /** Undefined if empty. */
  read: () => unknown
  reason: () => string | undefined
}

interface LeafControlOptions {
  leaf: Leaf
  /** For screen readers: the path, `pose.position.x`. */
  name: string
  value: unknown
  changed: () => void
}

/** A typed input: a fixed value that fits, or another source. */
function leafControl(place: JQuery, { leaf, name, value, changed }: LeafControlOptions): Control {
  const kinds = kindsOf(leaf, name)
  const fixed = kindName(kinds[0] ?? 'str')
  const initial = inputOf(value, fixed)
  if (!kinds.map(kindName).includes(initial.kind)) kinds.push(initial.kind)
  const element = $('<input type="text" style="width: 100%">')
    .attr('placeholder', leaf.unit ? `${typeText(leaf)} (${leaf.unit})` : typeText(leaf))
    .val(initial.text)
    .appendTo(place)
  element.typedInput({ default: initial.kind, types: kinds as never })
  perKind(element, (kind) => (kind === fixed ? '' : undefined))
  const container = element.next('.red-ui-typedInput-container')
  accessibleTyped(container, name)
  container.find('.red-ui-typedInput-input').attr('aria-label', name)
  element.on('change', changed)
  container.find('.red-ui-typedInput-input').on('input', changed)

  const read = () => {
    const kind = kindOf(element)
    const text = textOf(element)
    if (isReferenceKind(kind))
      return reference(kind, text, leaf.type === 'file' ? undefined : requiredType(leaf))
    // An empty text typed as JSON is kept.
    return fixedValue(kind, text, {
      unit: leaf.unit ?? '',
      mayBeEmpty: leaf.mayBeEmpty === true || value === '',
    })
  }
  return { element, read, reason: () => leafReason(leaf, kindOf(element), textOf(element)) }
}

/** Required type; undefined for any JSON value. */
const requiredType = ({ type }: Leaf) => (type === 'any' || type === 'json' ? undefined : type)

export function inputOf(value: unknown, fixed: string): { kind: string; text: string } {
  if (value === undefined) return { kind: fixed, text: '' }
  const from = referenceIn(value)
  if (from) return from
  if (fixed === 'json' && typeof value !== 'string') return { kind: 'json', text: JSON.stringify(value) }
  if (typeof value === 'string') return { kind: 'str', text: value }
  if (typeof value === 'number') return { kind: 'num', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'bool', text: String(value) }
  return { kind: 'json', text: JSON.stringify(value) }
}

/** An unreadable value stays text, with the problem at the field. */
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

/** Undefined if valid. */
export function leafReason(leaf: Leaf, kind: string, text: string): string | undefined {
  if (isReferenceKind(kind)) return referenceReason(kind, text)
  if (!fixedKinds(leaf, '').map(kindName).includes(kind))
    return sharedText('reason.otherType', { expected: typeText(leaf) })
  const { choices, required, mayBeEmpty } = leaf
  if (text === '' && kind !== 'json')
    return required && !mayBeEmpty ? sharedText('reason.required') : undefined
  if (choices && !choices.includes(text)) return sharedText('reason.choice', { choices: choices.join(', ') })
  if (kind === 'num') return numberReason(leaf, text)
  return kind === 'json' && text !== '' && jsonIn(text) === undefined ? sharedText('reason.json') : undefined
}

/** In Node-RED's words. */
export function referenceReason(kind: string, text: string): string | undefined {
  if (text === '') return sharedText('reason.required')
  const valid = RED.utils.validateTypedProperty(text, kind, {})
  return valid === true ? undefined : valid
}

function numberReason(leaf: Leaf, text: string): string | undefined {
  const isWhole = isNumeric(leaf.type) && !/^(float|number)/.test(leaf.type)
  const found = numberIn(text, leaf.unit ?? '')
  if ('reason' in found) return found.reason
  const number = found.value
  if (isWhole && !Number.isInteger(number)) return sharedText('reason.whole')
  const [min, max] = limitsOf(leaf)
  if (number >= min && number <= max) return undefined
  if (max === Infinity) return sharedText('reason.least', { min })
  return sharedText('reason.range', { min, max: leaf.unit ? `${max} ${leaf.unit}` : max })
}

/** Narrowed to the range of the type. */
function limitsOf({ type, min, max }: Leaf): [min: number, max: number] {
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  const span = bits ? 2 ** (Number(bits) - (unsigned ? 0 : 1)) : Infinity
  return [min ?? (bits && unsigned ? 0 : -span), max ?? (bits ? span - 1 : span)]
}

/** In a word or two. */
function typeText({ type, choices }: Leaf): string {
  if (type === 'bool') return sharedText('form.switch')
  if (choices) return sharedText('form.choice')
  if (type === 'string') return sharedText('form.text')
  if (type === 'file') return sharedText('form.file')
  if (!isNumeric(type)) return sharedText('form.json')
  return sharedText(/^(float|number)/.test(type) ? 'form.number' : 'form.whole')
}

/** Undefined if invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
