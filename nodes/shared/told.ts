import { parameterUnit } from '../../lib/contract/reading/values'
import type { Parameter } from '../../lib/contract'
import type { OutcomeSummary } from './outcome'
import { told } from './sentences'

/** Most values in one line. */
const most = 3
/** Longest value in a line, in characters. */
const longest = 60

/** A name and its value for a line: `fps = 25 Hz`. */
export function named(name: string, value: unknown, unit = ''): string {
  const whole = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '')
  const text = whole.length > longest ? `${whole.slice(0, longest)}…` : whole
  return `${name} = ${text}${unit && ` ${unit}`}`
}

/** A few values in a line; for more, only their number. */
export function toldValues(lines: readonly string[], value?: unknown): OutcomeSummary {
  if (lines.length > 0 && lines.length <= most)
    return { text: lines.join(', '), value: value ?? lines.length }
  return told('result-values', { count: lines.length }, { value: lines.length })
}

/** Parameters with their present values on the device. */
export const toldParameters = (records: readonly Parameter[], value?: unknown): OutcomeSummary =>
  records.length > most
    ? told('result-values', { count: records.length }, { value: records.length })
    : toldValues(
        records.map((record) => named(record.name, record.value, parameterUnit(record))),
        value,
      )
