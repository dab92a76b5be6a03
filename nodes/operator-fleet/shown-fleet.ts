import type { FleetSummary } from '../../lib/fleet/centre'
import { isObject } from '../shared/is-object'

/** The state of a fleet as the node `fleet` sends it, if a payload is one. */
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
