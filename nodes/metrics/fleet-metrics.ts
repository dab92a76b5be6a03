import type { FleetSummary } from '../../lib/fleet/centre'
import type { Group } from './registry'

const rolloutStates = ['running', 'paused', 'waits-for-approval', 'stopping'] as const

/**
 * Measures what a centre knows of its fleet.
 * @param reading the state of the fleet, as it was last shown
 */
export function measureFleet(group: Group, reading: () => FleetSummary | undefined): void {
  group.gauge('vision_fleet_cells', '', 2, () => {
    const { cells } = reading() ?? {}
    if (!cells) return []
    return [
      { labels: { seen: 'yes' }, value: cells.seen },
      { labels: { seen: 'no' }, value: cells.notSeen },
    ]
  })
  group.gauge('vision_fleet_devices_with_problem', '', 1, () => {
    const { devices } = reading() ?? {}
    return devices ? [{ value: devices.problems }] : []
  })
  group.gauge('vision_fleet_rollouts', '', rolloutStates.length, () => {
    const { rollouts } = reading() ?? {}
    if (!rollouts) return []
    return rolloutStates.map((state) => ({
      labels: { state },
      value: rollouts.filter((rollout) => rollout.state === state).length,
    }))
  })
}
