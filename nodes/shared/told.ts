import { parameterUnit } from '../../lib/contract/reading/parameter-unit'
import type { Parameter } from '../../lib/contract'
import type { OutcomeSummary } from './outcome'
import { told } from './sentences'

/** Values that one line still holds. */
const most = 3
/** Characters of a value in a line. */
const longest = 60

/** A value in a line: `fps = 25 Hz`. */
export function named(name: string, value: unknown, unit = ''): string {
  const whole = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '')
  const text = whole.length > longest ? `${whole.slice(0, longest)}…` : whole
  return `${name} = ${text}${unit && ` ${unit}`}`
}

/** A few values in a line, of more their number. */
export function toldValues(lines: readonly string[], value?: unknown): OutcomeSummary {
  if (lines.length > 0 && lines.length <= most)
    return { text: lines.join(', '), value: value ?? lines.length }
  return told('result-values', { count: lines.length }, { value: lines.length })
}

/** Parameters as the device has them now. */
export const toldParameters = (records: readonly Parameter[], value?: unknown): OutcomeSummary =>
  records.length > most
    ? told('result-values', { count: records.length }, { value: records.length })
    : toldValues(
        records.map((record) => named(record.name, record.value, parameterUnit(record))),
        value,
      )
