import type { Module } from '../module'
import type { StateStay } from '../modules/dynamics'
import { navigationRuns } from '../modules/navigation-runs'

/** The estimation of the device's own motion, while it runs. */
export interface Navigation {
  /** When it began, seconds of the clock. */
  began: number
  /** Whether SLAM corrects it. */
  slam: boolean
}

/** @param dynamics the dynamics module; a device without it does not estimate its motion */
export function navigationOf(dynamics: Module | undefined): Navigation | undefined {
  const history = (dynamics as (Module & { history: () => StateStay[] }) | undefined)?.history() ?? []
  const now = history.at(-1)
  if (!now || !navigationRuns(now.state)) return undefined
  const rest = history.findLastIndex(({ state }) => !navigationRuns(state))
  return { began: (history[rest + 1] ?? now).from, slam: now.state === 'RUNNING_WITH_SLAM' }
}
