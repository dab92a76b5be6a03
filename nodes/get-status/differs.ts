/**
 * Whether a status differs from the last one sent.
 * @param threshold smallest difference of numbers that counts; 0 counts every difference
 */
export function differs(before: unknown, now: unknown, threshold: number): boolean {
  if (typeof before === 'number' && typeof now === 'number')
    return before !== now && Math.abs(now - before) >= threshold
  if (!isObject(before) || !isObject(now)) return before !== now
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].some((key) =>
    differs(before[key], now[key], threshold),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
