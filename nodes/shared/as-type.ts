/**
 * Converts a value to the device's type of that name; undefined if it does not fit. Text that can only mean a number,
 * `true` or `false` is accepted. An unknown type accepts everything.
 */
export function asType(type: string, given: unknown): unknown {
  if (type === 'bool') {
    const value = given === 'true' ? true : given === 'false' ? false : given
    return typeof value === 'boolean' ? value : undefined
  }
  if (type === 'string') return typeof given === 'string' ? given : undefined
  if (!isNumeric(type)) return given
  const value = typeof given === 'string' && given.trim() ? Number(given) : given
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) || /^(float|number)/.test(type) ? value : undefined
}

const isNumeric = (type: string) => /^(u?int\d+|float\d+|integer|number)$/.test(type)
