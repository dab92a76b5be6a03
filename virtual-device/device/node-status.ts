import type { NodeStatus } from '../../lib/contract'
import type { Module } from '../module'

/**
 * The status word of a node. An inner state of IDLE is `idle` and FATAL is `down`; any other is `running`, and so is
 * a module without an inner state.
 */
export function statusWord(module: Module, stale: boolean): string {
  if (stale) return 'stale'
  const state = module.state?.()
  if (state === 'IDLE') return 'idle'
  return state === 'FATAL' ? 'down' : 'running'
}

/** Status and run-time values, which are reported only while the node runs. @param time seconds since 1970 */
export function nodeStatus(module: Module, stale: boolean, time: number): NodeStatus {
  const status = statusWord(module, stale)
  const values = status === 'running' ? Object.entries(module.values?.() ?? {}) : []
  return {
    status,
    timestamp: time,
    values: values.length ? Object.fromEntries(values.map(([name, value]) => [name, String(value)])) : [],
  }
}
