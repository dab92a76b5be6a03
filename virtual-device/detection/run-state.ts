import type { Environment, ServiceDefinition } from '../module'
import { ServiceFailure } from './service-failure'

const response = { accepted: 'bool', current_state: 'string' } as const

/**
 * Whether a detection module is started. Our choice: it stops at once, takes as long to start as the scenario says, and
 * accepts every start and stop except a start in FATAL.
 * @param stopped called when it stops
 */
export function runState(
  { clock, scenario }: Pick<Environment, 'clock' | 'scenario'>,
  { stopped = () => undefined }: { stopped?: () => void } = {},
) {
  let begun: { fatal: boolean; until: number } | undefined

  const state = () => {
    if (!begun || clock.now() < begun.until) return 'IDLE'
    // A clock that is set back later does not undo it.
    begun.until = -Infinity
    return begun.fatal ? 'FATAL' : 'RUNNING'
  }
  const running = () => state() === 'RUNNING'
  const stop = () => {
    if (begun) stopped()
    begun = undefined
    return true
  }
  const start = () => {
    const { module_start: outcome, module_start_seconds: seconds } = scenario()
    if (outcome === 'refused' || state() === 'FATAL') return false
    begun ??= { fatal: outcome === 'fatal', until: clock.now() + seconds }
    return true
  }
  const move = (description: string, act: () => boolean): ServiceDefinition => ({
    description,
    args: {},
    response,
    call: () => ({ accepted: act(), current_state: state() }),
  })

  return {
    state,
    running,
    /** @throws ServiceFailure in any other state */
    assertRunning: () => {
      if (!running()) throw new ServiceFailure(-8, `the module is ${state()}: start it first`)
    },
    services: {
      start: move('Starts the module.', start),
      stop: move('Stops the module.', stop),
    },
    restart: move('Stops the module where it runs, and starts it.', () => stop() && start()),
  }
}
