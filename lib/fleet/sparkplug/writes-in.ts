import { parameterFolder, serviceFolder } from './device-metrics'
import type { Metric, WrittenMetric } from './payload'

/** What a host asks of a device: one command for all parameters, one for each service. */
export type SparkplugWrite =
  | { do: 'set-parameters'; args: { parameters: Record<string, Record<string, unknown>> } }
  | { do: 'call-service'; args: { node: string; service: string } }

/** What a command of a host asks for, or the name of the first metric that cannot be written. */
export function writesIn(
  written: readonly WrittenMetric[],
  offered: readonly Metric[],
): { writes: SparkplugWrite[]; problem?: never } | { writes?: never; problem: string } {
  const writable = new Set(offered.filter((metric) => metric.writable === true).map(({ name }) => name))
  const parameters = new Map<string, Map<string, unknown>>()
  const calls: SparkplugWrite[] = []
  for (const { name = '', value } of written) {
    const plain = plainOf(value)
    if (!writable.has(name) || plain === undefined) return { problem: name }
    if (name.startsWith(parameterFolder)) {
      const [node, parameter] = pathOf(name.slice(parameterFolder.length))
      const ofNode = parameters.get(node) ?? new Map<string, unknown>()
      parameters.set(node, ofNode.set(parameter, plain))
    } else if (plain === true) {
      const [node, service] = pathOf(name.slice(serviceFolder.length))
      calls.push({ do: 'call-service', args: { node, service } })
    }
  }
  const values = Object.fromEntries(
    [...parameters].map(([node, ofNode]) => [node, Object.fromEntries(ofNode)]),
  )
  const sets: SparkplugWrite[] =
    parameters.size > 0 ? [{ do: 'set-parameters', args: { parameters: values } }] : []
  return { writes: [...sets, ...calls] }
}

function pathOf(path: string): [node: string, last: string] {
  const slash = path.indexOf('/')
  return [path.slice(0, slash), path.slice(slash + 1)]
}

/** As JSON has it; undefined for what is not there, or is no exact number. */
function plainOf(value: WrittenMetric['value']): number | boolean | string | undefined {
  if (value === null || typeof value === 'bigint') return undefined
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value
}
