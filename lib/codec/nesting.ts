/** Containers within containers that are still read and written. No body of the device comes near. */
export const deepest = 200

export const tooDeep = (): RangeError =>
  new RangeError(`The value contains itself, or is nested more than ${deepest} levels deep.`)

/** Whether a value would exhaust the stack of who walks through it. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === deepest) return true
  for (const part of Object.values(value)) if (isTooDeep(part, depth + 1)) return true
  return false
}
