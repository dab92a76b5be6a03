import type { NodeInfo } from '../../lib/contract'
import { parameterUnit } from '../../lib/contract/reading/parameter-unit'
import { kindOf, type RecordKind } from '../../lib/contract/reading/record-kinds'
import type { DeviceApi } from '../device-api'
import type { PickSource } from '../../nodes/shared/fields/description'
import { valueText } from '../parameter-text'
import { sharedText } from '../shared-text'

/** What the device offers for a field. */
export type PickKind = PickSource

/** Kinds whose offers are only examples: there may be other and new ones. */
export const suggestions: ReadonlySet<PickKind> = new Set(['record', 'sensor'])

export interface Offer {
  name: string
  /** In a few characters: kind, status or present value. */
  about: string
  description: string
}

/** Where on the device the dialog looks; empty if the field is empty. */
export interface OfferQuery {
  pipeline: string
  node: string
  /** What the dialog needs of a node; if missing, every node is offered. */
  needs?: 'parameters' | 'services' | undefined
  /** The kind of record. */
  record?: RecordKind | undefined
  fresh?: boolean
}

/** Lists the offers. @throws DeviceProblem */
export const offers = (api: DeviceApi, kind: PickKind, place: OfferQuery): Promise<Offer[]> =>
  listing[kind](api, place)

const listing: Record<PickKind, (api: DeviceApi, place: OfferQuery) => Promise<Offer[]>> = {
  pipeline: async (api, { fresh }) =>
    Object.entries(await api.read('listPipelines', {}, at(fresh))).map(([name, { type, status }]) =>
      offer(name, [type, status].filter(Boolean).join(', ')),
    ),
  node: async (api, { pipeline, needs, fresh }) => {
    const [inPipeline, global] = await Promise.all([
      pipeline ? api.read('listNodes', { pipeline }, at(fresh)) : [],
      api.read('listGlobalNodes', {}, at(fresh)),
    ])
    const fits = (node: NodeInfo) => !needs || node[needs].length > 0
    return [
      ...inPipeline.filter(fits).map(({ name, status }) => offer(name, status)),
      ...global
        .filter(fits)
        .map(({ name, status }) => offer(name, `${sharedText('pick.global')}, ${status}`)),
    ]
  },
  'global-node': async (api, { fresh }) =>
    (await api.read('listGlobalNodes', {}, at(fresh))).map(({ name, status }) => offer(name, status)),
  parameter: async (api, { pipeline, node, fresh }) =>
    (await api.read('getParameters', { pipeline, node }, at(fresh))).map((parameter) =>
      offer(parameter.name, valueText(parameter.value, parameterUnit(parameter)), parameter.description),
    ),
  service: async (api, { pipeline, node, fresh }) => {
    const services = pipeline
      ? await api.read('listServices', { pipeline, node }, at(fresh))
      : await api.read('listGlobalServices', { node }, at(fresh))
    return services.map(({ name, args, description = '' }) =>
      offer(name, Object.keys(args ?? {}).join(', '), description),
    )
  },
  stream: async (api, { fresh }) =>
    (await api.read('listStreams', {}, at(fresh))).map(({ name, protobuf, description }) =>
      offer(name, protobuf, description),
    ),
  log: async (api, { fresh }) =>
    (await api.read('listLogs', {}, at(fresh))).map(({ name, date }) =>
      offer(name, new Date(date * 1000).toLocaleString(RED.i18n.lang())),
    ),
  template: async (api, { pipeline, node, fresh }) => {
    // Templates are found only under the device's own name of the node.
    const own = await api.read('getNode', { pipeline: pipeline || '0', node })
    return (await api.read('listTemplates', { node: own.name }, at(fresh))).map(({ id }) => offer(id))
  },
  record: async (api, { record = 'region', fresh }) => {
    const { node, get, list } = kindOf(record)
    const { name } = await api.read('getGlobalNode', { node })
    const records = (await api.ask(name, get, at(fresh)))[list]
    return (Array.isArray(records) ? (records as { id: string; type?: unknown }[]) : []).map(({ id, type }) =>
      offer(id, typeof type === 'string' ? type : ''),
    )
  },
  sensor: async (api, { fresh }) => {
    const { config } = await api.read('getPipelineConfiguration', {}, at(fresh))
    const kinds = Object.entries(config).map(([pipeline, { type }]) => ({ pipeline, type }))
    return [...new Set(kinds.map(({ type }) => type))].map((kind) => {
      const names = kinds.filter(({ type }) => type === kind).map(({ pipeline }) => pipeline)
      return offer(kind, names.map((name) => sharedText('sidebar.pipeline', { name })).join(', '))
    })
  },
}

const at = (fresh = false) => ({ fresh })
const offer = (name: string, about = '', description = ''): Offer => ({ name, about, description })
