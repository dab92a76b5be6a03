import { fieldOf, shortType } from '../dialog'
import { numberIn } from '../quantity/number-in'
import { unitOf } from '../quantity/unit-of'
import { sharedText } from '../shared-text'
import { check } from './check'
import { noPattern, noReference } from './written'
import { holds } from '../../lib/contract/reading/holds'

/** A number between limits, or 0 if that is allowed too, whole if required; may be empty only if optional. */
export const number = (
  field: string,
  {
    least: min,
    most: max,
    whole = false,
    zero = false,
    ...rules
  }: Rules & { least: number; most: number; whole?: boolean; zero?: boolean },
) =>
  check(field, (node, value) => {
    if (!counts(node, rules)) return undefined
    if (value === '') return mayBeEmpty(node, rules) ? undefined : sharedText('reason.required')
    const found = numberIn(value, unitOf(node, field))
    if ('reason' in found) return found.reason
    const given = found.value
    if (whole && !Number.isInteger(given)) return sharedText('reason.whole')
    if ((given >= min && given <= max) || (zero && given === 0)) return undefined
    return sharedText(zero ? 'reason.rangeOrZero' : 'reason.range', { min, max })
  })

/** A text that must not be empty while the rule `when` holds. */
export const needed = (field: string, when: string) =>
  check(field, (node, value) =>
    value === '' && rule(node, when) ? sharedText('reason.required') : undefined,
  )

/** A confirmation: a checkbox that must be ticked while the rule `when` holds. */
export const confirmed = (field: string, when: string) =>
  check(field, (node, value) =>
    value !== 'true' && rule(node, when) ? sharedText('reason.confirm') : undefined,
  )

/** A text that matches the whole pattern, and is not empty while the rule `when` holds. */
export const pattern = (field: string, allowed: RegExp, when = '') =>
  check(field, (node, value) => {
    if (value === '' && when && rule(node, when)) return sharedText('reason.required')
    return allowed.test(value) ? undefined : node._(`${shortType(node)}.reason.${field}`)
  })

/** A field with a kind in `<field>Type`; an optional fixed text may be empty, and the message then has the value. */
export const typed = (field: string, { patternWhen, ...rules }: Rules & { patternWhen?: string }) =>
  check(field, (node, value) => {
    if (!counts(node, rules)) return undefined
    const kind = fieldOf(node, `${field}Type`)
    if (kind === 'str' && value === '' && mayBeEmpty(node, rules)) return undefined
    return (
      noReference(value, kind) ??
      (kind === 'str' && patternWhen && rule(node, patternWhen) ? noPattern(value) : undefined)
    )
  })

/** When a field may be empty, and when it applies at all. */
interface Rules {
  optional?: boolean
  /** Required while this rule holds, otherwise optional. */
  neededWhen?: string
  /** Applies only while this rule holds. */
  when?: string
}

/** Whether a rule holds for the fields of a node, as shown in the dialog or as stored. */
const rule = (node: EditorNode, text: string) => holds(text, (other) => fieldOf(node, other))

const counts = (node: EditorNode, { when }: Rules) => !when || rule(node, when)

const mayBeEmpty = (node: EditorNode, { optional = false, neededWhen }: Rules) =>
  optional && !(neededWhen && rule(node, neededWhen))
