import { withoutEnd } from './without-end'

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Characters of the longest number accepted; checking and converting much longer ones would be slow. */
const longestNumber = 4096

/** A decimal number that neither a number nor a bigint represents exactly; it keeps its digits. */
export class HighPrecision {
  /** @throws RangeError for text that is not a JSON number, or is longer than 4096 characters */
  constructor(readonly digits: string) {
    if (!isJsonNumber(digits)) throw new RangeError('The text is not a number, or is too long for one.')
  }

  /** A JSON parser would lose digits of a number, so a plain `JSON.stringify` writes a string. */
  toJSON(): string {
    return this.digits
  }
}

export const isJsonNumber = (text: string): boolean => text.length <= longestNumber && jsonNumber.test(text)

/** The number in a text: a number if that is exact, a bigint for larger integers, otherwise a `HighPrecision`. */
export function exactNumber(text: string): number | bigint | HighPrecision {
  if (/^-?\d+$/.test(text)) {
    if (text === '-0') return -0
    const integer = BigInt(text)
    const number = Number(integer)
    return Number.isSafeInteger(number) ? number : integer
  }
  const number = Number(text)
  return Number.isFinite(number) && canonical(text) === canonical(`${number}`)
    ? number
    : new HighPrecision(text)
}

/** Sign, significant digits and power of ten: identical for all notations of a number. */
function canonical(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutEnd(digits, '0')
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length - (digits.length - significant.length))}`
}
