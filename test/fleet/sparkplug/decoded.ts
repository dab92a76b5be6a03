import { get } from 'sparkplug-payload'

type Library = NonNullable<ReturnType<typeof get>>
type UPayload = ReturnType<Library['decodePayload']>
type UMetric = NonNullable<UPayload['metrics']>[number]

/** A message as the published library decodes it. */
export interface SparkplugMessage {
  kind: string
  topic: string
  device: string | undefined
  qos: number | undefined
  retain: boolean | undefined
  payload: UPayload
  /** Undefined in a death of a node. */
  seq: number | undefined
  /** Of a birth or death of a node. */
  bdSeq: number | undefined
  metrics: UMetric[]
}

const library = get('spBv1.0')

export function readSparkplug(
  topic: string,
  bytes: Buffer,
  { qos, retain }: { qos?: number; retain?: boolean },
): SparkplugMessage {
  const [, , kind = '', , device] = topic.split('/')
  const payload = library?.decodePayload(bytes) ?? {}
  const metrics = payload.metrics ?? []
  const bdSeq = metrics.find(({ name }) => name === 'bdSeq')
  return {
    ...{ kind, topic, device, qos, retain, payload, metrics },
    seq: numberOf(payload.seq),
    bdSeq: numberOf(bdSeq?.value),
  }
}

export const writeSparkplug = (payload: UPayload): Buffer =>
  Buffer.from(library?.encodePayload(payload) ?? [])

/** A metric of a message. */
export const metricOf = ({ metrics }: SparkplugMessage, name: string): UMetric | undefined =>
  metrics.find((metric) => metric.name === name)

const numberOf = (value: unknown) => (value === undefined || value === null ? undefined : Number(value))
