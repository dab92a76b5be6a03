import type { Leaf } from '../../lib/contract/reading/form/form-shape'
import { numberIn } from '../quantity/number-in'
import { sharedText } from '../shared-text'
import { fixedKinds, isNumeric, kindName } from './kinds'
import { isReferenceKind } from '../../lib/contract/reading/form/reference'

/** Why a value of a kind is invalid for a field; undefined if it is valid. */
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

/** Why a reference of this kind cannot be evaluated, in Node-RED's words. */
export function referenceReason(kind: string, text: string): string | undefined {
  if (text === '') return sharedText('reason.required')
  const valid = RED.utils.validateTypedProperty(text, kind, {})
  return valid === true ? undefined : valid
}

/** Why a text is not a valid number. */
function numberReason(leaf: Leaf, text: string): string | undefined {
  const isWhole = isNumeric(leaf.type) && !/^(float|number)/.test(leaf.type)
  const found = numberIn(text, leaf.unit ?? '')
  if ('reason' in found) return found.reason
  const given = found.value
  if (isWhole && !Number.isInteger(given)) return sharedText('reason.whole')
  const [min, max] = limitsOf(leaf)
  if (given >= min && given <= max) return undefined
  if (max === Infinity) return sharedText('reason.least', { min })
  return sharedText('reason.range', { min, max: leaf.unit ? `${max} ${leaf.unit}` : max })
}

/** The limits of a field, narrowed to the range of its type. */
function limitsOf({ type, min, max }: Leaf): [min: number, max: number] {
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  const span = bits ? 2 ** (Number(bits) - (unsigned ? 0 : 1)) : Infinity
  return [min ?? (bits && unsigned ? 0 : -span), max ?? (bits ? span - 1 : span)]
}

/** The type of a field in a word or two. */
export function typeText({ type, choices }: Leaf): string {
  if (type === 'bool') return sharedText('form.switch')
  if (choices) return sharedText('form.choice')
  if (type === 'string') return sharedText('form.text')
  if (type === 'file') return sharedText('form.file')
  if (!isNumeric(type)) return sharedText('form.json')
  return sharedText(/^(float|number)/.test(type) ? 'form.number' : 'form.whole')
}

/** The value of a JSON text; undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
