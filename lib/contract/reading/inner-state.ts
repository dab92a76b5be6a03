import type { NodeStatus } from '../schemas/node'

/**
 * The inner state that a module reports as its status value `state` (`IDLE`, `RUNNING`, `FATAL` …); undefined if it
 * reports none. The node status describes the process only: it is `running` in all of these states.
 */
export function innerState(values: NodeStatus['values']): string | undefined {
  const { state } = values as { state?: unknown }
  return typeof state === 'string' ? state : undefined
}
