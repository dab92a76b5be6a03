import { isObject } from '../is-object'
import { sharedText } from '../shared-text'

/** Plain JSON is a form with fixed values only. */
export const isForm = (kind: string) => kind === 'form' || kind === 'json'

/** Why a value of a kind cannot be evaluated, in Node-RED's words. */
export function noReference(value: string, kind: string) {
  if (value === '') return sharedText('reason.required')
  const valid = RED.utils.validateTypedProperty(value, kind, {})
  return valid === true ? undefined : valid
}

export function noObject(value: string) {
  try {
    const parsed: unknown = JSON.parse(value)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return undefined
  } catch {
    // The reason is given below.
  }
  return sharedText('reason.object')
}

export function noList(value: string) {
  try {
    if (value === '' || Array.isArray(JSON.parse(value))) return undefined
  } catch {
    // The reason is given below.
  }
  return sharedText('reason.list')
}

/** The values of an object must themselves be objects. */
export const noObjects = (value: string) =>
  Object.values(JSON.parse(value) as object).every(isObject) ? undefined : sharedText('reason.byNode')

export function noPattern(value: string) {
  try {
    new RegExp(value, 'i')
    return undefined
  } catch {
    return sharedText('reason.pattern')
  }
}
