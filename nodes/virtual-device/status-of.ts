import type { NodeAPI, NodeStatus } from 'node-red'
import { lookOf, statusText } from '../shared/status-word'
import type { DeviceState } from './supervisor'

/** Statuses are shorter than this. */
const longest = 20

/** Its address while the device runs, else why it does not. */
export function statusOf(RED: NodeAPI, state: DeviceState): NodeStatus {
  const word = wordOf(state)
  if (word) {
    const freePort = state.running ? undefined : state.freePort
    return { ...lookOf(word), text: statusText(RED, word, freePort) }
  }
  const { host, port } = new URL(state.running ? state.url : '')
  return { ...lookOf('ready'), text: host.length < longest ? host : `:${port}` }
}

function wordOf(state: DeviceState) {
  if (state.running) return state.scenario.offline ? 'offline' : undefined
  if (state.starting) return 'starting'
  if (state.portInUse) return state.freePort === undefined ? 'portInUse' : 'otherPortFree'
  return state.error ? 'failed' : 'stopped'
}
