import { isObject } from '../shared/is-object'
import { currentLanguage, codeOf } from '../shared/node-error'
import { shown } from '../shared/shown'
import { sentencesOf } from '../sentences'
import type { Parameter } from '../../lib/contract'
import { kindOf, type RecordKind } from '../../lib/contract/reading/record-kinds'
import type { Connection } from '../device/connection'
import { inPipeline } from '../device/known-nodes'

const { invalidInput, nodeError } = sentencesOf('recipes')

export interface Column {
  /** `node.parameter` */
  key: string
  node: string
  parameter: string
  /** By language; '' for all others. */
  labels: Readonly<Record<string, string>>
}

/** @throws INVALID_INPUT naming what is wrong */
export function columnsIn(text: string): Column[] {
  const columns = Object.entries(objectIn('columns', text)).map(([key, given]): Column => {
    const dot = key.indexOf('.')
    const [node, parameter] = [key.slice(0, dot), key.slice(dot + 1)]
    if (dot < 1 || !parameter) throw invalidInput('bad-column', { column: shown(key) })
    return { key, node, parameter, labels: labelsIn(given, parameter) }
  })
  if (columns.length === 0) throw invalidInput('no-columns')
  return columns
}

/** Falls back to English. */
export const labelOf = ({ labels, parameter }: Column): string => {
  const language = currentLanguage() ?? 'en-US'
  return labels[language] ?? labels[language.slice(0, 2)] ?? labels['en-US'] ?? labels[''] ?? parameter
}

/** @throws INVALID_INPUT */
export function objectIn(field: string, text: string): Record<string, unknown> {
  const found = jsonIn(field, text)
  if (!isObject(found)) throw invalidInput('not-an-object', { field })
  return found
}

/** @throws INVALID_INPUT */
export function jsonIn(field: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw invalidInput('not-json', { field }, error)
  }
}

function labelsIn(value: unknown, parameter: string): Record<string, string> {
  if (typeof value === 'string') return { '': value || parameter }
  if (!isObject(value)) return { '': parameter }
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

export interface DeviceOffer {
  /** By `node.parameter`. */
  records: ReadonlyMap<string, Parameter>
  regions: readonly string[]
  grippers: readonly string[]
}

export interface OfferQuery {
  columns: readonly Column[]
  pipeline: string
  regions: RecordKind
  signal: AbortSignal
}

/** @throws NOT_FOUND naming a wrong column */
export async function deviceOffer(device: Connection, query: OfferQuery): Promise<DeviceOffer> {
  const [records, regions, grippers] = await Promise.all([
    recordsOf(device, query),
    idsOf(device, query.regions, query.signal),
    idsOf(device, 'gripper', query.signal),
  ])
  return { records, regions, grippers }
}

async function recordsOf(
  device: Connection,
  { columns, pipeline, signal }: OfferQuery,
): Promise<Map<string, Parameter>> {
  const nodes = [...new Set(columns.map(({ node }) => node))]
  const byNode = await Promise.all(
    nodes.map((node) =>
      device.onNode({ pipeline, node, signal }, async (target) => ({
        node,
        records: await device.client.getParameters(inPipeline(target), { signal }),
      })),
    ),
  )
  return new Map(
    columns.map(({ key, node, parameter }) => {
      const record = byNode.find((each) => each.node === node)?.records.find(({ name }) => name === parameter)
      if (!record)
        throw nodeError('NOT_FOUND', 'no-such-parameter', { node, parameter, device: device.client.name })
      return [key, record]
    }),
  )
}

async function idsOf(device: Connection, name: RecordKind, signal: AbortSignal): Promise<string[]> {
  const kind = kindOf(name)
  try {
    const { response } = await device.onNode({ pipeline: '', node: kind.node, signal }, ({ node }) =>
      device.client.callGlobalService({ node, service: kind.get, args: { [kind.ids]: [] } }, { signal }),
    )
    const records = (response as Record<string, unknown>)[kind.list]
    const ids = Array.isArray(records) ? records.map((record) => (Object(record) as { id?: unknown }).id) : []
    return ids.filter((id): id is string => typeof id === 'string')
  } catch (error) {
    // No such database: no records.
    if (codeOf(error) === 'NOT_FOUND') return []
    throw error
  }
}
