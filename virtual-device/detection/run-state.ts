import type { ServiceDefinition } from '../module'
import { ServiceFailure } from './service-failure'

const response = { accepted: 'bool', current_state: 'string' } as const

/**
 * Whether a detection module is started. Our choice: it starts and stops at once, and takes every start and stop.
 * @param stopped called when it stops
 */
export function runState({ stopped = () => undefined }: { stopped?: () => void } = {}) {
  let running = false
  const stop = () => {
    if (running) stopped()
    running = false
  }
  const start = () => {
    running = true
  }
  const move = (description: string, ...moves: (() => void)[]): ServiceDefinition => ({
    description,
    args: {},
    response,
    call: () => {
      for (const each of moves) each()
      return { accepted: true, current_state: state() }
    },
  })
  const state = () => (running ? 'RUNNING' : 'IDLE')

  return {
    state,
    running: () => running,
    /** @throws ServiceFailure in any other state */
    assertRunning: () => {
      if (!running) throw new ServiceFailure(-8, `the module is ${state()}: start it first`)
    },
    services: {
      start: move('Starts the module.', start),
      stop: move('Stops the module.', stop),
    },
    restart: move('Stops the module where it runs, and starts it.', stop, start),
  }
}
