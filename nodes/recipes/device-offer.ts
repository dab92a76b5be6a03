import type { Parameter } from '../../lib/contract'
import { kindOf, type RecordKind } from '../../lib/contract/reading/record-kinds'
import type { Connection } from '../device/connection'
import { inPipeline } from '../device/known-nodes'
import { codeOf } from '../shared/node-error'
import type { Column } from './columns'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('recipes')

/** What the device has for recipes at present. */
export interface DeviceOffer {
  /** By `node.parameter`. */
  records: ReadonlyMap<string, Parameter>
  /** Ids. */
  regions: readonly string[]
  /** Ids. */
  grippers: readonly string[]
}

export interface OfferQuery {
  columns: readonly Column[]
  pipeline: string
  regions: RecordKind
  signal: AbortSignal
}

/** Reads the records of all columns, and the ids of regions and grippers. @throws NOT_FOUND naming a wrong column */
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
    // A device without this database has no records.
    if (codeOf(error) === 'NOT_FOUND') return []
    throw error
  }
}
