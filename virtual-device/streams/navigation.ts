import type { Stay } from '../modules/dynamics'
import { navigationRuns } from '../modules/navigation-runs'

/** The estimation of the device's own motion, while it runs. */
export interface Navigation {
  /** When it began, seconds by the clock. */
  began: number
  /** Whether SLAM corrects it. */
  slam: boolean
}

/** @param history of the dynamics module, up to the present state */
export function navigationOf(history: readonly Stay[]): Navigation | undefined {
  const now = history.at(-1)
  if (!now || !navigationRuns(now.state)) return undefined
  const rest = history.findLastIndex(({ state }) => !navigationRuns(state))
  return { began: (history[rest + 1] ?? now).from, slam: now.state === 'RUNNING_WITH_SLAM' }
}
