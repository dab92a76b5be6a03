/** The number at the beginning of a text. */
export interface Numeral {
  /** Its possible readings, as JavaScript writes numbers without an exponent; two if its separators are ambiguous. */
  readings: readonly string[]
  /** Its power of ten: 3 in `1e3`. */
  power: number
  /** The text after it. */
  rest: string
}

/** Reads the number at the beginning of a text, looking at each character once. Undefined if there is none. */
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

/** End of an exponent such as `e-3`; the start position if there is none, as before the unit `em`. */
function exponentEnd(text: string, start: number): number {
  if (!'eE'.includes(text.charAt(start) || ' ')) return start
  let end = start + 1
  if ('+-−'.includes(text.charAt(end) || ' ')) end++
  const digits = end
  while (isDigit(text.charAt(end))) end++
  return end > digits ? end : start
}

/** The possible readings of digits and separators; none if there are no digits. */
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
  // With both points and commas, one kind groups digits. With one kind only, either all of them group, or the first is
  // the decimal separator.
  const isMixed = given.includes('.') && given.includes(',')
  const last = others.at(-1) ?? ''
  const grouped = isMixed ? `${digits.slice(0, digits.length - last.length) || '0'}.${last || '0'}` : digits
  return [grouped, decimal]
}

const isDigit = (character: string) => character >= '0' && character <= '9'
const isSeparator = (character: string) => character === '.' || character === ','
