import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import type { Centre, DeviceRow, Rollout } from '../../lib/fleet/centre'
import { isObject } from '../shared/is-object'
import { shown } from '../shared/shown'
import { loadFleet, loadFleetCentre } from '../shared/load-later'
import { NodeAnswer } from '../shared/outcome'
import { inWords, stateAnswer } from './show-fleet'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError, summarize } = sentencesOf('fleet')

/** The actions of the node, by their names in `msg.action`. */
export const actionNames = [
  'state',
  'list',
  'groups',
  'differences',
  'rollout',
  'approve',
  'pause',
  'resume',
  'stop',
  'report',
  'ask',
  'forget',
  'move',
] as const
export type ActionName = (typeof actionNames)[number]

/** Actions that have consequences in cells. */
export const changing: ReadonlySet<ActionName> = new Set([
  'rollout',
  'approve',
  'pause',
  'resume',
  'stop',
  'ask',
  'forget',
  'move',
])

interface Order {
  RED: NodeAPI
  centre: Centre
  msg: NodeMessageInFlow
  signal: AbortSignal
}

type Action = (order: Order) => NodeAnswer | Promise<NodeAnswer>

/** Number of the output for answers. */
const output = 1
/** Rows of a list, unless `msg.limit` says otherwise. */
const usualRows = 1000

const forgotten = (cell: unknown) =>
  answer({ cell }, summarize('result-fleet-forgotten', { cell }, { value: String(cell) }))

const answer = (payload: unknown, line: ReturnType<typeof summarize>, more: Record<string, unknown> = {}) =>
  new NodeAnswer({ payload, ...more }, line, output)

export const actions: Readonly<Record<ActionName, Action>> = {
  state: ({ RED, centre }) => stateAnswer(RED, loadFleetCentre().summaryOf(centre)),

  list: ({ RED, centre, msg }) => {
    const rows = [...centre.rows(searchIn(msg.payload))].sort(loadFleetCentre().problemsFirst)
    return page(RED, msg, rows)
  },

  groups: ({ centre, msg }) => {
    const { groupings, groupsOf } = loadFleetCentre()
    const by = groupings.find((one) => one === (isNothing(msg.payload) ? 'plant' : msg.payload))
    if (!by)
      throw invalidInput('fleet-unknown-group', {
        value: typeof msg.payload === 'string' ? msg.payload.slice(0, 100) : typeof msg.payload,
        known: groupings.join(', '),
      })
    const groups = groupsOf(centre.rows(), by)
    return answer(
      groups,
      summarize('result-fleet-groups', { count: groups.length }, { value: groups.length }),
    )
  },

  differences: ({ RED, centre, msg }) => {
    const { differencesOf } = loadFleetCentre()
    const rows = [...differencesOf(centre.rows(), referenceIn(centre, msg.payload))]
    return page(RED, msg, rows.sort(loadFleetCentre().problemsFirst))
  },

  rollout: async ({ RED, centre, msg }) => progress(RED, await centre.begin(msg.payload)),
  approve: async ({ RED, centre, msg }) =>
    progress(RED, await centre.approve(rolloutIn(msg), msg.payload !== false)),
  pause: async ({ RED, centre, msg }) => progress(RED, await centre.pause(rolloutIn(msg), true)),
  resume: async ({ RED, centre, msg }) => progress(RED, await centre.pause(rolloutIn(msg), false)),
  stop: async ({ RED, centre, msg }) => progress(RED, await centre.stop(rolloutIn(msg))),

  report: ({ RED, centre, msg }) => {
    const { membersOf, progressOf } = loadFleetCentre()
    const id = rolloutIn(msg)
    if (id !== undefined) {
      const rollout = centre.rollouts.one(id)
      return progress(RED, rollout, { devices: membersOf(rollout) })
    }
    const all = centre.rollouts.all.map((one) => inWords(RED).rollout(progressOf(one)))
    return answer(all, summarize('result-fleet-rollouts', { count: all.length }, { value: all.length }))
  },

  ask: async ({ centre, msg, signal }) => {
    const { checked, Question, readAddress } = loadFleetCentre()
    const { to, do: kind, args = {}, within = 60 } = checked(Question, msg.payload)
    const [plant = '', cell = ''] = to.split('/')
    const place = readAddress(to) ?? { plant, cell }
    const heard = await centre.ask(place, { do: kind, args }, { within, signal })
    const reason = heard.text ?? (heard.code && `${heard.code}.`)
    const said = reason ? ` ${reason}` : ''
    if (heard.state === 'unknown') throw nodeError('OUTCOME_UNKNOWN', 'fleet-ask-unknown', { to, said })
    if (heard.state !== 'done') throw nodeError('REFUSED', 'fleet-ask-refused', { to, said })
    return answer(heard.result, summarize('result-fleet-answer', { to }), { answer: heard })
  },

  forget: async ({ centre, msg, signal }) => {
    await centre.forget(cellIn(msg.payload), { signal })
    return forgotten(msg.payload)
  },
  move: async ({ centre, msg, signal }) => {
    const { from, to } = isObject(msg.payload) ? msg.payload : {}
    await centre.forget(cellIn(from), { movedTo: cellIn(to), signal })
    return forgotten(from)
  },
}

/** @throws INVALID_INPUT if it names no cell */
function cellIn(given: unknown): { plant: string; cell: string } {
  const { isName, isPlant } = loadFleet()
  const [plant = '', cell = '', ...more] = typeof given === 'string' ? given.split('/') : []
  if (isPlant(plant) && isName(cell) && more.length === 0) return { plant, cell }
  throw invalidInput('fleet-no-cell', { value: shown(given) })
}

function searchIn(payload: unknown) {
  const { checked, Search } = loadFleetCentre()
  if (isNothing(payload)) return {}
  return checked(Search, typeof payload === 'string' ? { text: payload } : payload)
}

/** What an inject node sends by default, a timestamp, names nothing either. */
const isNothing = (payload: unknown) =>
  payload === undefined || payload === null || payload === '' || typeof payload === 'number'

/** A reference, or the address of a device that is as all should be. */
function referenceIn(centre: Centre, payload: unknown) {
  const { checked, Reference, readAddress } = loadFleetCentre()
  if (typeof payload !== 'string') return checked(Reference, payload)
  const member = readAddress(payload)
  const device = member && centre.picture.device(member)
  if (!device) throw nodeError('NOT_FOUND', 'fleet-no-reference', { device: payload })
  const { firmware, fingerprint } = device
  return {
    ...(firmware !== undefined && { firmware }),
    ...(fingerprint !== null && { fingerprint }),
  }
}

/** @throws INVALID_INPUT if it is no text */
function rolloutIn(msg: NodeMessageInFlow): string | undefined {
  const { rollout } = msg as { rollout?: unknown }
  if (rollout === undefined || rollout === '') return undefined
  if (typeof rollout === 'string') return rollout
  if (isObject(rollout) && typeof rollout['id'] === 'string') return rollout['id']
  throw invalidInput('not-text', { field: 'rollout' })
}

function page(RED: NodeAPI, msg: NodeMessageInFlow, rows: readonly DeviceRow[]): NodeAnswer {
  const { limit, offset } = msg as { limit?: unknown; offset?: unknown }
  const from = counted('offset', offset, 0)
  const part = rows.slice(from, from + counted('limit', limit, usualRows))
  const line = summarize('result-fleet-devices', { count: rows.length }, { value: rows.length })
  return answer(part.map(inWords(RED).device), line, { total: rows.length })
}

function counted(field: string, value: unknown, usual: number): number {
  if (value === undefined) return usual
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw invalidInput('number-or-nothing', {
    field,
    value: typeof value === 'string' ? value.slice(0, 100) : typeof value,
  })
}

function progress(RED: NodeAPI, rollout: Rollout, more?: object): NodeAnswer {
  const now = inWords(RED).rollout(loadFleetCentre().progressOf(rollout))
  const { name, text, percent } = now
  return answer({ ...now, ...more }, summarize('result-fleet-rollout', { name, text }, { value: percent }))
}
