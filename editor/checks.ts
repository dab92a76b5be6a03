import { fieldOf, labelOf, text } from './dialog'
import { unfitting } from './forms/fitting'
import { isObject } from './forms/reference'
import { sharedText } from './shared-text'
import { holds } from './visibility'

/** Says why a value does not do, or nothing where it does. */
export type Reason = (node: EditorNode, value: string) => string | undefined

/** A validator for `defaults`. Node-RED lets `${NAME}` pass before it asks. */
export interface Check {
  (this: EditorNode, value: unknown, options?: object): boolean | string
  reason: Reason
}

/** When a field may be empty, and when it counts at all. */
interface Rules {
  optional?: boolean
  /** It is optional only while this rule does not hold. */
  neededWhen?: string
  /** It counts only while this rule holds. */
  when?: string
}

/** A number between limits, whole if wanted; empty only where it is optional. */
export const number = (
  field: string,
  { min, max, whole = false, ...rules }: Rules & { min: number; max: number; whole?: boolean },
) =>
  check(field, (node, value) => {
    if (!counts(node, rules)) return undefined
    if (value === '') return mayBeEmpty(node, rules) ? undefined : sharedText('reason.required')
    const given = Number(value)
    if (Number.isNaN(given) || (whole && !Number.isInteger(given)))
      return sharedText(whole ? 'reason.whole' : 'reason.number')
    return given < min || given > max ? sharedText('reason.range', { min, max }) : undefined
  })

/** A text that must not be empty while the rule `when` holds. */
export const needed = (field: string, when: string) =>
  check(field, (node, value) =>
    value === '' && rule(node, when) ? sharedText('reason.required') : undefined,
  )

/** A checkbox that must be ticked while the rule `when` holds, because much depends on it. */
export const confirmed = (field: string, when: string) =>
  check(field, (node, value) =>
    value !== 'true' && holds(when, (other) => fieldOf(node, other))
      ? sharedText('reason.confirm')
      : undefined,
  )

/** A text that fits the pattern. */
export const pattern = (field: string, allowed: RegExp, reason: string) =>
  check(field, (node, value) => (allowed.test(value) ? undefined : node._(reason)))

/** A field with a kind in `<field>Type`; an optional fixed text may be empty, which leaves it to the message. */
export const typed = (field: string, rules: Rules = {}) =>
  check(field, (node, value) => {
    if (!counts(node, rules)) return undefined
    const kind = fieldOf(node, `${field}Type`)
    return value === '' && kind === 'str' && mayBeEmpty(node, rules) ? undefined : noReference(value, kind)
  })

/** The value of `set-parameter`: one value, or an object of them where several parameters are written. */
export const parameterValue = (field: string) =>
  check(field, (node, value) => {
    const which = fieldOf(node, 'which')
    const kind = fieldOf(node, `${field}Type`)
    if (which !== 'one' && ['str', 'num', 'bool'].includes(kind)) return sharedText('reason.severalValues')
    if (which === 'nodes' && isForm(kind)) return noObject(value) ?? noObjects(value)
    if (which === 'several' && isForm(kind)) return noObject(value) ?? unfitting(node, field, kind, value)
    // An empty text is a value: some parameters are cleared with it.
    return (kind === 'str' ? undefined : noReference(value, kind)) ?? unfitting(node, field, kind, value)
  })

/** The arguments of a service: an object, or where it is found. */
export const serviceArguments = (field: string) =>
  check(field, (node, value) => {
    const kind = fieldOf(node, `${field}Type`)
    return isForm(kind) ? (noObject(value) ?? unfitting(node, field, kind, value)) : noReference(value, kind)
  })

/** The id of a record: needed to delete it, and to store what a form holds. */
export const recordId = (field: string) =>
  check(field, (node, value) => {
    const isNeeded = holds('action=delete ; action=set & from=form', (other) => fieldOf(node, other))
    const kind = fieldOf(node, `${field}Type`)
    if (value === '' && kind === 'str') return isNeeded ? sharedText('reason.required') : undefined
    return noReference(value, kind)
  })

/** A path inside the message, `payload` or `cell.speed`. */
export const messageProperty = (field: string) => check(field, (_node, value) => noReference(value, 'msg'))

/** A text to look for, which may be empty; a regular expression while the rule `isPattern` holds. */
export const searchText = (field: string, isPattern: string) =>
  check(field, (node, value) => {
    const kind = fieldOf(node, `${field}Type`)
    if (kind !== 'str') return noReference(value, kind)
    return holds(isPattern, (other) => fieldOf(node, other)) ? noPattern(value) : undefined
  })

/** A JSON object as text. */
export const jsonObject = (field: string) => check(field, (_node, value) => noObject(value))

/** What a device can be reached at: host, host:port or an http(s) URL, with `${NAME}` anywhere in it. */
export const address = (field: string) =>
  check(field, (_node, value) => {
    if (value === '') return sharedText('reason.required')
    const resolved = value.replace(/\$\{\w+\}/g, '1')
    const url = parseUrl(resolved.includes('://') ? resolved : `http://${resolved}`)
    if (/\s/.test(value) || !url?.hostname || !/^https?:$/.test(url.protocol))
      return sharedText('reason.address')
    if (url.username || url.password) return sharedText('reason.login')
    if (/\/api(\/v\d+)?\/?$/.test(url.pathname) || url.search || url.hash) return sharedText('reason.path')
    return undefined
  })

export function check(field: string, reason: Reason): Check {
  return Object.assign(
    function (this: EditorNode, value: unknown, options?: object) {
      // A flow from before there was this field: its default counts.
      if (value === undefined) return true
      const found = reason(this, text(value).trim())
      if (found === undefined) return true
      return options ? `${labelOf(this, field)}: ${found}` : false
    },
    { reason },
  )
}

const rule = (node: EditorNode, text: string) => holds(text, (other) => fieldOf(node, other))

const counts = (node: EditorNode, { when }: Rules) => !when || rule(node, when)

const mayBeEmpty = (node: EditorNode, { optional = false, neededWhen }: Rules) =>
  optional && !(neededWhen && rule(node, neededWhen))

/** Plain JSON is a form of fixed values alone. */
const isForm = (kind: string) => kind === 'form' || kind === 'json'

/** Why a value of a kind cannot be evaluated, in Node-RED's words. */
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
    // The reason below says it.
  }
  return sharedText('reason.object')
}

/** The values of an object must be objects too. */
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

function parseUrl(value: string) {
  try {
    return new URL(value)
  } catch {
    return undefined
  }
}
