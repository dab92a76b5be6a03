import type { StateStay } from './dynamics'
import { navigationRuns } from './navigation-runs'

/** A point on the trajectory. */
interface Waypoint {
  /** Seconds since 1970. */
  time: number
  /** When the estimation began, seconds since 1970. */
  began: number
}

/** Our choices: waypoints per second, and seconds of the trajectory that are kept. */
const rate = 10
const kept = 600

/** The device's trajectory while SLAM ran. @param since seconds since 1970; earlier parts are dropped */
export function trajectory(history: readonly StateStay[], since: number, now: number): Waypoint[] {
  const end = (stay: StateStay) => Math.min(stay.until, now)
  const latest = history.findLast(({ state }) => state === 'RUNNING_WITH_SLAM')
  if (!latest) return []
  const from = Math.max(since, end(latest) - kept)
  let began = 0
  return history.flatMap((stay, index) => {
    if (navigationRuns(stay.state) && !navigationRuns(history[index - 1]?.state)) began = stay.from
    if (stay.state !== 'RUNNING_WITH_SLAM') return []
    const origin = began
    const first = Math.max(0, Math.ceil((from - stay.from) * rate))
    const last = Math.floor((end(stay) - stay.from) * rate)
    const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)
    return steps
      .map((step) => stay.from + step / rate)
      .filter((time) => time > since)
      .map((time) => ({ time, began: origin }))
  })
}
