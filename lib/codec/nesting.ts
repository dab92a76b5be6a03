/** Deepest nesting of containers that is read and written. No body of the device comes close. */
export const deepest = 200

export const tooDeep = (levels = deepest): RangeError =>
  new RangeError(`The value contains itself, or is nested more than ${levels} levels deep.`)
