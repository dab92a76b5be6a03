import type { RolloutOrder } from '../../lib/fleet/centre'
import { isObject } from '../shared/is-object'
import { loadFleetCentre } from '../shared/load-later'
import { sentencesOf } from '../sentences'
import { asVisionError } from '../shared/node-error'

const { invalidInput } = sentencesOf('operator-fleet')

/** A rollout that the page can start. */
export type PreparedRollout = RolloutOrder & { name: string }

/** At most. */
const most = 12

/** @param text a JSON list @throws INVALID_INPUT naming what is wrong */
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
