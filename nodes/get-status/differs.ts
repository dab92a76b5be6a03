/**
 * Whether a status differs from the one that was sent last.
 * @param threshold numbers must differ by at least this; 0 takes every difference
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
