import { holds } from '../lib/contract/reading/values'
import { addressFault, tidyAddress, typedAddress } from '../lib/contract/reading/address'
import type { Field } from '../nodes/shared/fields/description'
import { fieldOf, labelOf, shortType, text, isObject, sharedText } from './dialog'
import { unfitting } from './forms/fitting'
import { numberIn, unitOf } from './quantity'

/** Host, host:port or an http(s) URL, with `${NAME}` anywhere. Removes what a browser's address bar adds. */
const address = (field: string) =>
  check(
    field,
    (_node, value) => {
      if (value === '') return sharedText('reason.required')
      if (typedAddress(value).login) return sharedText('reason.login')
      const fault = addressFault(normalizeAddress(value))
      return fault && sharedText(`reason.address-${fault}`)
    },
    normalizeAddress,
  )

/** A login is refused, and shown nowhere else. */
const normalizeAddress = (typed: string) => (typed.includes('@') ? typed : tidyAddress(typed))

/** Undefined if valid. */
type FieldCheck = (node: EditorNode, value: string) => string | undefined

/** For `defaults`; Node-RED accepts `${NAME}` before it calls the validator. */
export interface Check {
  (this: EditorNode, value: unknown, options?: object): boolean | string
  reason: FieldCheck
  /** As the field stores the typed text. */
  normalize?: (typed: string) => string
}

function check(field: string, reason: FieldCheck, normalize?: Check['normalize']): Check {
  return Object.assign(
    function (this: EditorNode, value: unknown, options?: object) {
      // Older flow: the default applies.
      if (value === undefined) return true
      const found = reason(this, text(value).trim())
      if (found === undefined) return true
      return options ? `${labelOf(this, field)}: ${found}` : false
    },
    { reason, ...(normalize && { normalize }) },
  )
}

/** Within limits, or 0 if allowed, whole if required; empty only if optional. */
const number = (
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
    const entered = found.value
    if (whole && !Number.isInteger(entered)) return sharedText('reason.whole')
    if ((entered >= min && entered <= max) || (zero && entered === 0)) return undefined
    return sharedText(zero ? 'reason.rangeOrZero' : 'reason.range', { min, max })
  })

/** Not empty under the rule `when`. */
const needed = (field: string, when: string) =>
  check(field, (node, value) =>
    value === '' && rule(node, when) ? sharedText('reason.required') : undefined,
  )

/** Ticked under the rule `when`. */
const confirmed = (field: string, when: string) =>
  check(field, (node, value) =>
    value !== 'true' && rule(node, when) ? sharedText('reason.confirm') : undefined,
  )

/** Matches as a whole; not empty under the rule `when`. */
const pattern = (field: string, allowed: RegExp, when = '') =>
  check(field, (node, value) => {
    if (value === '' && when && rule(node, when)) return sharedText('reason.required')
    return allowed.test(value) ? undefined : node._(`${shortType(node)}.reason.${field}`)
  })

/** With `<field>Type`; an optional fixed text may be empty, and the message then has the value. */
const typed = (field: string, { patternWhen, ...rules }: Rules & { patternWhen?: string }) =>
  check(field, (node, value) => {
    if (!counts(node, rules)) return undefined
    const kind = fieldOf(node, `${field}Type`)
    if (kind === 'str' && value === '' && mayBeEmpty(node, rules)) return undefined
    return (
      noReference(value, kind) ??
      (kind === 'str' && patternWhen && rule(node, patternWhen) ? noPattern(value) : undefined)
    )
  })

interface Rules {
  optional?: boolean
  /** Required under this rule, otherwise optional. */
  neededWhen?: string
  when?: string
}

const rule = (node: EditorNode, text: string) => holds(text, (other) => fieldOf(node, other))

const counts = (node: EditorNode, { when }: Rules) => !when || rule(node, when)

const mayBeEmpty = (node: EditorNode, { optional = false, neededWhen }: Rules) =>
  optional && !(neededWhen && rule(node, neededWhen))

/** From the description, or the part of it in the dialogs. */
export function checkOf(name: string, field: Field): Check {
  switch (field.kind) {
    case 'number':
      return number(name, field)
    case 'typed':
      if (!field.form) return typed(name, field)
      return field.form.of === 'parameters' ? parameterValue(name) : formValue(name)
    case 'property':
      return messageProperty(name)
    case 'json':
      return field.isList ? jsonList(name) : jsonObject(name)
    case 'switch':
      return confirmed(name, field.neededWhen ?? '')
    case 'text':
      if (field.isAddress) return address(name)
      if (field.pattern !== undefined) return pattern(name, new RegExp(field.pattern), field.neededWhen ?? '')
      return needed(name, field.neededWhen ?? '')
    case 'credential':
      return needed(name, field.neededWhen ?? '')
    default:
      return check(name, () => undefined)
  }
}

/** `payload`, `cell.speed` */
const messageProperty = (field: string) => check(field, (_node, value) => noReference(value, 'msg'))

const jsonObject = (field: string) => check(field, (_node, value) => noObject(value))

/** Empty is an empty list. */
const jsonList = (field: string) => check(field, (_node, value) => noList(value))

/** One value, or an object of values for several parameters. */
const parameterValue = (field: string) =>
  check(field, (node, value) => {
    const which = fieldOf(node, 'which')
    const kind = fieldOf(node, `${field}Type`)
    if (which !== 'one' && ['str', 'num', 'bool'].includes(kind)) return sharedText('reason.severalValues')
    if (which === 'nodes' && isForm(kind)) return noObject(value) ?? noObjects(value)
    if (which === 'several' && isForm(kind)) return noObject(value) ?? unfitting(node, field, kind, value)
    // Empty text clears some parameters; a number may have a unit.
    const isChecked = kind === 'str' || kind === 'num'
    return (isChecked ? undefined : noReference(value, kind)) ?? unfitting(node, field, kind, value)
  })

/** An object, or a reference to one. */
const formValue = (field: string) =>
  check(field, (node, value) => {
    const kind = fieldOf(node, `${field}Type`)
    return isForm(kind) ? (noObject(value) ?? unfitting(node, field, kind, value)) : noReference(value, kind)
  })

/** Plain JSON: fixed values only. */
const isForm = (kind: string) => kind === 'form' || kind === 'json'

/** In Node-RED's words. */
function noReference(value: string, kind: string) {
  if (value === '') return sharedText('reason.required')
  const valid = RED.utils.validateTypedProperty(value, kind, {})
  return valid === true ? undefined : valid
}

function noObject(value: string) {
  try {
    const parsed: unknown = JSON.parse(value)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return undefined
  } catch {
    // Reported below.
  }
  return sharedText('reason.object')
}

function noList(value: string) {
  try {
    if (value === '' || Array.isArray(JSON.parse(value))) return undefined
  } catch {
    // Reported below.
  }
  return sharedText('reason.list')
}

/** Each value must be an object. */
const noObjects = (value: string) =>
  Object.values(JSON.parse(value) as object).every(isObject) ? undefined : sharedText('reason.byNode')

function noPattern(value: string) {
  try {
    new RegExp(value, 'i')
    return undefined
  } catch {
    return sharedText('reason.pattern')
  }
}
