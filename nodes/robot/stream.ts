import type { RobotState } from '../../lib/robot-motion'
import { startInterval } from '../../lib/kernel/timers'

/**
 * Passes on the newest state, at a rate.
 * @param rate per second
 * @returns `seen` takes each state, `close` ends it
 */
export function paced(rate: number, send: (state: RobotState) => void) {
  let newest: RobotState | undefined
  const timer = startInterval(() => {
    if (newest) send(newest)
    newest = undefined
  }, 1000 / rate)
  return {
    seen: (state: RobotState) => {
      newest = state
    },
    close: () => clearInterval(timer),
  }
}
