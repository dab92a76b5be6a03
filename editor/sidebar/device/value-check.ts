import type { Parameter } from '../../../lib/contract'
import { fixedKinds, isNumeric, kindName } from '../../forms/kinds'
import { jsonIn, leafReason } from '../../forms/leaf-reason'
import { parameterShape } from '../../forms/parameter-shape'
import { numberIn } from '../../quantity/number-in'

/** What was typed for a parameter: the value to send, or why it is invalid. */
export type CheckedValue = { value: unknown } | { reason: string }

/** Checks a typed text against type, limits and choices of a parameter before anything is sent. */
export function checkedValue(record: Parameter, typed: string): CheckedValue {
  const leaf = parameterShape(record)
  const { type, unit = '' } = leaf
  const text = isNumeric(type) ? typed.trim() : typed
  const [kind = 'str'] = fixedKinds(leaf, '')
  const reason = leafReason(leaf, kindName(kind), text)
  if (reason !== undefined) return { reason }
  if (type === 'bool') return { value: text === 'true' }
  if (type === 'string') return { value: text }
  return isNumeric(type) ? numberIn(text, unit) : { value: jsonIn(text) ?? text }
}
