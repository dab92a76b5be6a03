import type { Parameter } from '../../../lib/contract'
import { fixedKinds, isNumeric, kindName } from '../../forms/kinds'
import { jsonIn, leafReason } from '../../forms/leaf-reason'
import { parameterShape } from '../../forms/parameter-shape'

/** What was typed for a parameter: the value to send, or why it does not do. */
export type Checked = { value: unknown } | { reason: string }

/** Checks a typed text against type, limits and choices of a parameter, before anything is sent. */
export function checkedValue(record: Parameter, typed: string): Checked {
  const leaf = parameterShape(record)
  const { type } = leaf
  const text = isNumeric(type) ? withPoint(typed.trim()) : typed
  const [kind = 'str'] = fixedKinds(leaf, '')
  const reason = leafReason(leaf, kindName(kind), text)
  if (reason !== undefined) return { reason }
  if (type === 'bool') return { value: text === 'true' }
  if (type === 'string') return { value: text }
  return { value: isNumeric(type) ? Number(text) : (jsonIn(text) ?? text) }
}

/** A comma as people write it in many countries; no number has one otherwise. */
const withPoint = (text: string) => (/^[-+]?\d*,\d+$/.test(text) ? text.replace(',', '.') : text)
