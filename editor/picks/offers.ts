import type { NodeInfo } from '../../lib/contract'
import { parameterUnit } from '../../lib/contract/reading/values'
import { kindOf, type RecordKind } from '../../lib/contract/reading/record-kinds'
import type { PickSource } from '../../nodes/shared/fields/description'
import { type DeviceApi, isNotDeployed, problemIn } from '../device-api'
import { valueText } from '../texts'
import { sharedText } from '../dialog'
import { combobox } from './combobox'

export type PickKind = PickSource

/** Only examples: other and new names are possible. */
export const suggestions: ReadonlySet<PickKind> = new Set(['record', 'sensor'])

export interface Offer {
  name: string
  /** Kind, status or present value. */
  about: string
  description: string
}

/** Empty if the field is empty. */
export interface OfferQuery {
  pipeline: string
  node: string
  /** Missing: every node is offered. */
  needs?: 'parameters' | 'services' | undefined
  record?: RecordKind | undefined
  fresh?: boolean
}

/** @throws DeviceProblem */
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
    // Templates are found only under the device's own node name.
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

interface Options {
  place: JQuery
  shown: JQuery
  /** For screen readers. */
  name: string
  load: (fresh: boolean) => Promise<readonly Offer[]>
  isActive: () => boolean
}

export function offersList({ place, shown, name, load, isActive }: Options): void {
  const button = pickButton(name).appendTo(place)
  const [field] = shown.get() as HTMLInputElement[]
  const [opener] = button.get()
  if (!field || !opener) return
  combobox({
    field,
    button: opener,
    label: pickName(name),
    texts: pickTexts(),
    load,
    isSeveral: () => false,
    isActive,
  })
  const update = () => {
    button.toggle(isActive())
    place.toggleClass('vision-has-offers', isActive())
  }
  place.on('change', update)
  update()
}

export const pickName = (field: string): string => sharedText('spoken.offers', { field })

export function pickButton(name: string): JQuery {
  const label = pickName(name)
  return $('<button type="button" class="red-ui-button vision-pick-button">')
    .attr({ 'aria-label': label, title: label })
    .append('<i class="fa fa-caret-down" aria-hidden="true"></i>')
}

export const pickTexts = () => ({
  asking: sharedText('pick.asking'),
  nothing: sharedText('pick.nothing'),
  again: sharedText('pick.again'),
})

/** `renamed`: the device's own name of the node. */
type Presence = { is: 'there' | 'missing' | 'unknown' } | { is: 'renamed'; name: string }

/** Never rejects; without an answer, nothing is known. */
export async function presence(
  api: DeviceApi,
  kind: PickKind,
  place: OfferQuery,
  name: string,
): Promise<Presence> {
  try {
    const known = await offers(api, kind, { ...place, needs: undefined })
    if (known.some((offer) => offer.name === name)) return { is: 'there' }
    return kind === 'node' || kind === 'global-node' ? await ownName(api, place, name) : { is: 'missing' }
  } catch (problem) {
    const found = problemIn(problem)
    const isAbsent = found?.code === 'NOT_FOUND' && !isNotDeployed(found)
    return { is: isAbsent && kind !== 'parameter' && kind !== 'service' ? 'missing' : 'unknown' }
  }
}

/** Only the prefix differs between brands; the runtime knows the rule. */
async function ownName(api: DeviceApi, { pipeline }: OfferQuery, node: string): Promise<Presence> {
  const { name } = pipeline
    ? await api.read('getNode', { pipeline, node })
    : await api.read('getGlobalNode', { node })
  return name === node ? { is: 'there' } : { is: 'renamed', name }
}
