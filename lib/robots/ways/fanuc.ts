import type { Way } from './way'

/**
 * Fixed columns, because KAREL reads numbers out of a text only by their places: `code:count:score:X:Y:Z:W:P:R`, the code as a
 * sign and four digits, the count as three digits, the score as a sign, a digit and three decimals, each number of the pose
 * as a sign and thirteen characters, `+000445.000000`. 106 characters; a KAREL string has at most 254.
 */
export const fanuc: Way = {
  format: 'fanuc',
  end: 'lf',
  requests: 'text',
  longest: 254,
  write: ({ code, count, score, numbers = [] }, { format }, end) =>
    [
      signed(code, 5, 0),
      String(Math.min(count, 999)).padStart(3, '0'),
      // Its columns end at 9.999: a better score is good all the same.
      signed(Math.max(-9.999, Math.min(score, 9.999)), 6, 3),
      ...format.numbers.map((_, index) => signed(numbers[index] ?? 0, 14, 6)),
    ].join(':') + end,
}

/** @throws RangeError for a number that its columns do not hold */
function signed(value: number, width: number, places: number): string {
  const digits = Math.abs(value).toFixed(places)
  const text = (value < 0 && Number(digits) !== 0 ? '-' : '+') + digits.padStart(width - 1, '0')
  if (text.length !== width) throw new RangeError(`${text}: does not fit ${String(width)} columns`)
  return text
}
