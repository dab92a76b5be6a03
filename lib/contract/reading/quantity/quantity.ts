import { numeralIn } from './numeral'
import { unitGiven, unitNamed, unitsFor } from './units'

/** What a text in a number field means. */
export type Quantity = Understood | Refused

interface Understood {
  /** In the field's unit. */
  value: number
  /** How it was understood, `0.02 m = 20 mm`; missing if the text is that number itself. */
  understood?: string
}

type Refused =
  /** It is not a number. */
  | { refused: 'number' }
  /** Its separators are ambiguous. */
  | { refused: 'readings'; readings: readonly [string, string] }
  /** Its unit does not fit; `units` are those that do, empty for a plain number. */
  | { refused: 'unit'; given: string; units: readonly string[] }

/** Most characters; nobody types more. */
const longest = 64
/** Significant digits after which a conversion only adds rounding errors. */
const precise = 15

/**
 * Reads a number with its unit, as a person types it: `5 ms`, `20 µs`, `0.5 m`, `30°`, `1,5`. A number without a unit
 * is in the field's unit. A comma followed by exactly three digits, or several separators, have two readings and are
 * refused.
 * @param unit the field's; empty for a plain number
 */
export function quantity(text: string, unit: string): Quantity {
  const typed = text.trim()
  const numeral = typed.length > longest ? undefined : numeralIn(typed)
  if (!numeral || /\d/.test(numeral.rest)) return { refused: 'number' }
  const { readings, power, rest } = numeral
  const given = rest.trim()
  const isOwn = given === '' || given === unit
  const own = unitNamed(unit)
  const from = isOwn ? own : unitGiven(given, unit)
  if (!isOwn && !from) return { refused: 'unit', given, units: unitsFor(unit) }
  const [number = '', other] = readings.map((reading) => String(Number(`${reading}e${power}`)))
  if (other !== undefined && other !== number)
    return {
      refused: 'readings',
      readings: [number, other].map((reading) => `${reading} ${given}`.trim()) as [string, string],
    }
  const value = from && own && from !== own ? converted(readings[0] ?? '', power, from, own) : Number(number)
  if (!Number.isFinite(value)) return { refused: 'number' }
  const isSame = from === own && !typed.includes(',')
  return isSame ? { value } : { value, understood: `${typed} = ${String(value)} ${unit}`.trim() }
}

interface Size {
  power: number
  factor?: number
}

function converted(number: string, power: number, from: Size, to: Size): number {
  const exact = Number(`${number}e${power + from.power - to.power}`)
  const factor = (from.factor ?? 1) / (to.factor ?? 1)
  return factor === 1 ? exact : Number((exact * factor).toPrecision(precise))
}
