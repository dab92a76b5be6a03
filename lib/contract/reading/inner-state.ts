import type { NodeStatus } from '../schemas/node'

/**
 * The inner state that a module tells as its status value `state` (`IDLE`, `RUNNING`, `FATAL` …); undefined of one that
 * tells none. The status word beside it is about the process: `running` in all of these states.
 */
export function innerState(values: NodeStatus['values']): string | undefined {
  const { state } = values as { state?: unknown }
  return typeof state === 'string' ? state : undefined
}
