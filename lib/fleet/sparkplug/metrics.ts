import type { Answer, FleetDevice } from '../messages'
import type { Datatype, Metric, MetricValue, WrittenMetric } from './payload'

/** A parameter of a device that hosts see. */
export interface ParameterReading {
  /** `dev_camera/fps`. */
  path: string
  /** As the device names it: `bool`, `int32`, `float64` … */
  type: string
  value: unknown
}

/** What hosts see of a device, beside its state. */
export interface DeviceExtras {
  parameters: readonly ParameterReading[]
  /** Whether commands may set parameters. */
  maySet: boolean
  /** Services that commands may call, `node/service`. */
  services: readonly string[]
  /** What became of the last command from a host. */
  last?: Pick<Answer, 'id' | 'state' | 'code' | 'text'>
}

/** Status of the last command from a host. */
export const commandStateMetric = 'Command/State'

const parameterFolder = 'Parameters/'

const serviceFolder = 'Services/'

/** Links over which a device answers. */
const answering: ReadonlySet<string> = new Set(['ready', 'inTrouble', 'askedToWait'])

/** Whether a device is alive in the sense of Sparkplug. */
export const isAlive = ({ link }: FleetDevice): boolean => answering.has(link)

/** The metrics of a device: always the same names, so that a birth contains all of them. */
export function deviceMetrics(
  device: FleetDevice,
  { parameters, maySet, services, last }: DeviceExtras,
): Metric[] {
  const { calibration } = device
  return [
    shown('Link', 'String', device.link),
    shown('Link since', 'DateTime', timeOf(device.since)),
    shown('Problems', 'String', device.problems.join(', ')),
    shown('Temperature', 'Double', device.temperature, '°C'),
    shown('Properties/Address', 'String', device.address),
    shown('Properties/Hardware Model', 'String', device.model),
    shown('Properties/Serial', 'String', device.serial),
    shown('Properties/Hostname', 'String', device.hostname),
    shown('Properties/FW', 'String', device.firmware),
    shown('Properties/FW pending', 'String', device.firmwarePending),
    shown('Settings/Fingerprint', 'String', device.fingerprint),
    shown('Settings/Fingerprint at', 'DateTime', timeOf(device.fingerprintAt)),
    shown('Settings/Fingerprint problem', 'String', device.fingerprintProblem),
    shown('Calibration/Error', 'Double', calibration?.errorMm, 'mm'),
    shown('Calibration/At', 'DateTime', timeOf(calibration?.at)),
    shown('Calibration/Since', 'DateTime', timeOf(calibration?.since)),
    shown('Calibration/Since is', 'String', calibration?.sinceIs),
    shown('Command/Id', 'String', last?.id),
    shown(commandStateMetric, 'String', last?.state),
    shown('Command/Code', 'String', last?.code),
    shown('Command/Text', 'String', last?.text),
    ...parameters.flatMap((parameter) => parameterMetric(parameter, maySet)),
    ...services.map((service): Metric => ({
      ...{ name: `${serviceFolder}${service}`, type: 'Boolean', value: false, writable: true },
    })),
  ]
}

const shown = (
  name: string,
  type: Datatype,
  value: MetricValue | undefined = null,
  unit?: string,
): Metric => ({ name, type, value, writable: false, ...(unit !== undefined && { unit }) })

function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : time
}

const types: Readonly<Record<string, Datatype>> = {
  bool: 'Boolean',
  string: 'String',
  ...{ int8: 'Int32', int16: 'Int32', int32: 'Int32', uint8: 'Int32', uint16: 'Int32' },
  ...{ uint32: 'Int64', int64: 'Int64', uint64: 'Int64' },
  ...{ float32: 'Double', float64: 'Double' },
}

/** None for a type that Sparkplug has no counterpart of, such as an array. */
function parameterMetric({ path, type, value }: ParameterReading, writable: boolean): Metric[] {
  const datatype = Object.hasOwn(types, type) ? types[type] : undefined
  const isPlain = typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
  return datatype
    ? [{ name: parameterFolder + path, type: datatype, value: isPlain ? value : null, writable }]
    : []
}

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
