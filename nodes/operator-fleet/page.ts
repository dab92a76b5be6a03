import type { FleetSummary, RolloutOrder, DeviceOnMap, RolloutProgress } from '../../lib/fleet/centre'
import { isObject } from '../shared/is-object'
import { loadFleetCentre } from '../shared/load-later'
import { sentencesOf } from '../sentences'
import { asVisionError, currentLanguage } from '../shared/node-error'
import { commandKinds } from '../../lib/fleet/messages'
import { problemsInWords, rolloutInWords } from '../fleet/show-fleet'
import { isLinkState } from '../shared/status'

const { invalidInput, say } = sentencesOf('operator-fleet')

/** Undefined unless sent by the node `fleet`. */
export function fleetIn(payload: unknown): FleetSummary | undefined {
  if (!isObject(payload)) return undefined
  const { centre, cells, devices, map, rollouts } = payload
  const isFleet =
    [centre, cells, devices].every(isObject) &&
    isListOf(rollouts, (rollout) => isObject(rollout)) &&
    isListOf(map, (plant) => isObject(plant) && isListOf(plant['cells'], isCell))
  return isFleet ? (payload as unknown as FleetSummary) : undefined
}

const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is)

const isCell = (cell: unknown): boolean => isObject(cell) && isListOf(cell['shown'], isDevice)

const isDevice = (device: unknown): boolean =>
  isObject(device) &&
  typeof device['working'] === 'string' &&
  isListOf(device['problems'], (problem) => typeof problem === 'string')

export type PreparedRollout = RolloutOrder & { name: string }

const most = 12

/** @param text a JSON list @throws INVALID_INPUT */
export function plansIn(text: string): PreparedRollout[] {
  const { checked, RolloutOrder: Order } = loadFleetCentre()
  const plans = parsed(text || '[]')
  const names = new Set(plans?.map(({ name }) => name))
  if (!plans || plans.length > most || names.size < plans.length)
    throw invalidInput('fleet-bad-plans', { most })
  try {
    return plans.map((plan) => ({ ...checked(Order, plan), name: plan.name }))
  } catch (error) {
    throw asVisionError(error)
  }
}

function parsed(text: string): { name: string }[] | undefined {
  try {
    const plans: unknown = JSON.parse(text)
    const isNamed = (plan: unknown): plan is { name: string } =>
      isObject(plan) && typeof plan['name'] === 'string' && plan['name'].trim() !== ''
    return Array.isArray(plans) && plans.every(isNamed) ? plans : undefined
  } catch {
    return undefined
  }
}

/** The latest open one, otherwise the latest. */
export const shownRollout = ({ rollouts }: FleetSummary): RolloutProgress | undefined =>
  rollouts.find(({ state }) => state !== 'ended') ?? rollouts[0]

/** @param notice why the last order was refused */
export function stateOfPage(fleet: FleetSummary | undefined, notice: string | undefined) {
  const refused = { notice: notice === undefined ? '' : say('fleet-notice', { reason: notice }) }
  if (!fleet) return { payload: say('fleet-no-state'), reason: '', ...refused }
  const { cells, devices } = fleet
  const counts = {
    cells: cells.all,
    notSeen: cells.notSeen,
    devices: devices.all,
    problems: devices.problems,
  }
  return {
    payload: say(cells.notSeen > 0 ? 'fleet-headline-gone' : 'fleet-headline', counts),
    reason: say(whoOrders(fleet), { ...fleet.centre }),
    ...refused,
  }
}

export function whoOrders({ centre: { role, orders } }: FleetSummary) {
  if (role === 'reading') return 'fleet-reading'
  if (role === 'asking') return 'fleet-asking'
  return orders ? 'fleet-acting' : 'fleet-orders-off'
}

export const mapOfPage = ({ map, devices }: FleetSummary) => {
  const shown = map.flatMap(({ cells }) => cells).reduce((sum, cell) => sum + cell.shown.length, 0)
  const count = devices.all - shown
  const more = shown < devices.problems ? 'fleet-more-any' : 'fleet-more-devices'
  return {
    plants: map.map(({ plant, cells, ...counts }) => ({
      name: plant,
      text: say('fleet-counts', counts),
      severity: worst(cells.flatMap((cell) => cell.shown)),
      cells: cells.map(({ cell, shown: all }) => ({
        name: cell,
        severity: worst(all),
        devices: all.map(deviceOfPage),
      })),
    })),
    more: count > 0 ? say(more, { count }) : '',
  }
}

const worst = (devices: readonly DeviceOnMap[]) => Math.max(0, ...devices.map(({ severity }) => severity))

/** A code adds nothing next to the state of the link. */
const isCode = (problem: string) => /^[A-Z_]+$/.test(problem)

function deviceOfPage(device: DeviceOnMap) {
  const isLinkNamed = device.problems.includes('not-ready')
  const problems = device.problems
    .filter((problem) => !isLinkNamed || !isCode(problem))
    .map((problem) => (problem === 'fallback-booted' ? say('problem-fallback-booted') : problem))
  const { firmware, severity, working } = device
  return {
    name: device.device,
    severity,
    text: problemsInWords({ ...device, problems }, linkInWords) || say('fleet-fine'),
    firmware,
    working: working && workInWords(working),
  }
}

/** States of other versions stay as they are. */
const linkInWords = (link: string): string => (isLinkState(link) ? say(`link-${link}`) : link)

function workInWords(working: string): string {
  const [kind = '', ...progress] = working.split(' ')
  return [kindInWords(kind), ...progress].join(' ')
}

function kindInWords(kind: string): string {
  const known = commandKinds.find((one) => one === kind)
  return known ? say(`do-${known}`) : kind
}

export function rolloutOfPage(fleet: FleetSummary) {
  const rollout = shownRollout(fleet)
  if (!rollout) return { name: say('rollout-none'), text: '', details: '', percent: 0, parts: [] }
  const { name, do: kind, percent, startedAt, endedAt, devices } = rollout
  const open = fleet.rollouts.filter(({ state }) => state !== 'ended').length
  const time = timeInWords(startedAt)
  return {
    name,
    text: rolloutInWords(rollout),
    details: [
      kindInWords(kind),
      endedAt === null
        ? say('rollout-started', { time })
        : say('rollout-ended', { time, end: timeInWords(endedAt) }),
      open > 1 ? say('rollout-further', { count: open - 1 }) : '',
    ]
      .filter(Boolean)
      .join(' · '),
    percent,
    parts: partsOf(rollout).map(([part, count]) => ({
      part,
      count,
      share: devices > 0 ? (100 * count) / devices : 0,
      text: say(`part-${part}`),
    })),
  }
}

function partsOf({ done, working, waiting, failed, unknown, notReached, skipped }: RolloutProgress) {
  const parts = [
    ['done', done],
    ['working', working],
    ['failed', failed],
    ['unknown', unknown],
    ['not-reached', notReached],
    ['skipped', skipped],
    ['waiting', waiting],
  ] as const
  return parts.filter(([, count]) => count > 0)
}

function timeInWords(time: string): string {
  const locale = (currentLanguage() ?? 'en').replace(/^en.*/, 'en-GB')
  return new Date(time).toLocaleString(locale, { dateStyle: 'short', timeStyle: 'short' })
}
