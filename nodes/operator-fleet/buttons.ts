import type { FleetSummary } from '../../lib/fleet/centre'
import { shownRollout, whoOrders } from './page'
import type { PreparedRollout } from './plans'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-fleet')

/** The orders of the page. */
export const pageOrders = ['start', 'approve', 'pause', 'resume', 'stop'] as const
export type PageOrder = (typeof pageOrders)[number]

/** A button as the page draws it; what it sends back is in `order`. */
interface Button {
  order: { topic: PageOrder; plan?: string; rollout?: string; wave?: number }
  label: string
  /** What must be pressed next; empty if the order is sent at once. */
  sure: string
  kind: 'main' | 'plain' | 'stop'
  enabled: boolean
}

/** What can be ordered now. */
export function buttonsOfPage(fleet: FleetSummary, plans: readonly PreparedRollout[]) {
  const enabled = whoOrders(fleet) === 'fleet-acting'
  return { buttons: buttonsOf(fleet, plans, enabled), cancel: say('button-cancel') }
}

function buttonsOf(fleet: FleetSummary, plans: readonly PreparedRollout[], enabled: boolean): Button[] {
  const shown = shownRollout(fleet)
  if (!shown || shown.state === 'ended')
    return plans.map(({ name }) => ({
      ...{ order: { topic: 'start', plan: name }, label: say('button-start', { name }) },
      ...{ sure: say('sure-start'), kind: 'main', enabled },
    }))
  const { id: rollout, state, wave } = shown
  const simple = (topic: 'pause' | 'resume' | 'stop', kind: Button['kind']): Button => ({
    ...{ order: { topic, rollout }, label: say(`button-${topic}`), sure: '', kind, enabled },
  })
  const approve: Button = {
    ...{ order: { topic: 'approve', rollout, wave }, label: say('button-approve') },
    ...{ sure: say('sure-approve'), kind: 'main', enabled },
  }
  const stop = simple('stop', 'stop')
  switch (state) {
    case 'waits-for-approval':
      return [approve, stop]
    case 'running':
      return [simple('pause', 'plain'), stop]
    case 'paused':
      return [simple('resume', 'main'), stop]
    case 'stopping':
      return []
  }
}
