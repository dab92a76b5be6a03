import type { NodeStatus } from '../../lib/contract'
import type { Module } from '../module'

/**
 * The status word of a node, which describes the process: a module with a status value `state` is `running` in any
 * state, IDLE and FATAL included, because programs read it there. Only a module without one can be `idle`.
 */
export function statusWord(module: Module, stale: boolean): string {
  if (stale) return 'stale'
  return module.atRest?.() ? 'idle' : 'running'
}

/** Status and run-time values; the values are reported only while the node runs. @param time seconds since 1970 */
export function nodeStatus(module: Module, stale: boolean, time: number): NodeStatus {
  const status = statusWord(module, stale)
  const values = status === 'running' ? Object.entries(module.values?.() ?? {}) : []
  return {
    status,
    timestamp: time,
    values: values.length ? Object.fromEntries(values.map(([name, value]) => [name, String(value)])) : [],
  }
}
