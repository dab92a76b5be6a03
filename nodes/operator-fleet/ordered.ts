import type { FleetSummary } from '../../lib/fleet/centre'
import type { Properties } from '../shared/outcome'
import type { PageOrder } from './buttons'
import { shownRollout } from './page'
import type { PreparedRollout } from './plans'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('operator-fleet')

/** What the page may add to an order. */
export interface OrderMessage {
  plan?: unknown
  rollout?: unknown
  wave?: unknown
}

/**
 * The order to `fleet` for what was pressed on a page.
 * @throws INVALID_INPUT, REFUSED if the page showed something else than is
 */
export function ordered(
  topic: PageOrder,
  { plan, rollout, wave }: OrderMessage,
  fleet: FleetSummary | undefined,
  plans: readonly PreparedRollout[],
): Properties {
  if (topic === 'start') {
    const found = plans.find(({ name }) => name === plan)
    const name = typeof plan === 'string' ? plan.slice(0, 100) : typeof plan
    if (!found) throw invalidInput('fleet-no-plan', { name })
    return { action: 'rollout', payload: found }
  }
  const shown = fleet && shownRollout(fleet)
  if (shown?.id !== rollout || (topic === 'approve' && shown?.wave !== wave))
    throw nodeError('REFUSED', 'fleet-page-old')
  return { action: topic, payload: true, rollout }
}
