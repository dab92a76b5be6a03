import type { StatusParts } from '../shared/show-status'
import type { DeviceState } from './supervisor'

/** Longest status, in characters. */
const longest = 20

/** Its address while the device runs, otherwise the reason why it does not. */
export function statusOf(state: DeviceState): StatusParts {
  if (state.running)
    return state.scenario.offline ? { word: 'offline' } : { word: 'running', count: placeOf(state) }
  if (state.starting) return { word: 'starting' }
  if (state.portInUse)
    return state.freePort === undefined
      ? { word: 'portInUse' }
      : { word: 'otherPortFree', count: state.freePort }
  return { word: state.error ? 'failed' : 'stopped' }
}

/** With the port of the images where it is not the default one. */
function placeOf({ url, ports }: DeviceState & { running: true }): string {
  const { host, port } = new URL(url)
  if (ports.images?.instead_of !== undefined) return `:${port} + :${ports.images.port}`
  return host.length < longest ? host : `:${port}`
}
