/** Values and parameter records as messages and summaries show them. */
import type { Parameter } from '../../lib/contract'
import { parameterUnit } from '../../lib/contract/reading/values'
import type { OutcomeSummary } from './outcome'
import { told } from './sentences'

/** Records as an object, which a flow reads as `msg.parameter.fps.max`. */
export const byName = <Shown>(records: readonly Parameter[], shown: (record: Parameter) => Shown) =>
  Object.fromEntries(records.map((record) => [record.name, shown(record)]))

export const itself = (record: Parameter) => record

/** The same for several nodes, `msg.parameter.dev_camera.fps.max`. */
export const byNode = <Shown>(
  nodes: readonly { node: string; records: readonly Parameter[] }[],
  shown: (record: Parameter) => Shown,
) => Object.fromEntries(nodes.map(({ node, records }) => [node, byName(records, shown)]))

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
export function summarizeValues(lines: readonly string[], value?: unknown): OutcomeSummary {
  if (lines.length > 0 && lines.length <= most)
    return { text: lines.join(', '), value: value ?? lines.length }
  return told('result-values', { count: lines.length }, { value: lines.length })
}

/** Parameters with their present values on the device. */
export const summarizeParameters = (records: readonly Parameter[], value?: unknown): OutcomeSummary =>
  records.length > most
    ? told('result-values', { count: records.length }, { value: records.length })
    : summarizeValues(
        records.map((record) => named(record.name, record.value, parameterUnit(record))),
        value,
      )
