/** The number at the beginning of a text. */
export interface Numeral {
  /** The ways to read it, as JavaScript writes numbers without exponent; two where its separators leave that open. */
  readings: readonly string[]
  /** Power of ten that stands behind it: 3 in `1e3`. */
  power: number
  /** What follows. */
  rest: string
}

/** Reads the number at the beginning of a text, each character once. Undefined where there is none. */
export function numeralIn(text: string): Numeral | undefined {
  const signed = '+-−'.includes(text.charAt(0)) && text !== ''
  const start = signed ? 1 : 0
  let end = start
  while (isDigit(text.charAt(end)) || isSeparator(text.charAt(end))) end++
  const readings = readingsOf(text.slice(start, end))
  if (!readings.length) return undefined
  const sign = signed && !text.startsWith('+') ? '-' : ''
  const after = exponentEnd(text, end)
  return {
    readings: readings.map((reading) => sign + reading),
    power: after > end ? Number(text.slice(end + 1, after).replace('−', '-')) : 0,
    rest: text.slice(after),
  }
}

/** Where an exponent such as `e-3` ends; where it would begin if there is none, as before the unit `em`. */
function exponentEnd(text: string, start: number): number {
  if (!'eE'.includes(text.charAt(start) || ' ')) return start
  let end = start + 1
  if ('+-−'.includes(text.charAt(end) || ' ')) end++
  const digits = end
  while (isDigit(text.charAt(end))) end++
  return end > digits ? end : start
}

/** The ways to read digits and separators; none where there are no digits. */
function readingsOf(given: string): string[] {
  const parts = given.split(/[.,]/)
  const digits = parts.join('')
  if (digits === '') return []
  const [whole = '', ...others] = parts
  if (!others.length) return [digits]
  const decimal = `${whole || '0'}.${others.join('') || '0'}`
  if (others.length === 1) {
    const isOpen = given.includes(',') && others[0]?.length === 3
    return isOpen ? [decimal, digits] : [decimal]
  }
  // Points and commas: one kind groups. All the same: every one of them does, or the first one is the decimal one.
  const isMixed = given.includes('.') && given.includes(',')
  const last = others.at(-1) ?? ''
  const grouped = isMixed ? `${digits.slice(0, digits.length - last.length) || '0'}.${last || '0'}` : digits
  return [grouped, decimal]
}

const isDigit = (character: string) => character >= '0' && character <= '9'
const isSeparator = (character: string) => character === '.' || character === ','
