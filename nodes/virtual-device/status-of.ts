import type { StatusParts } from '../shared/status'
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

/** With the ports of images and robot interface that are not the default ones. */
function placeOf({ url, ports }: DeviceState & { running: true }): string {
  const { host, port } = new URL(url)
  const moved = Object.values(ports).filter(({ instead_of }) => instead_of !== undefined)
  if (moved.length > 0) return [port, ...moved.map((each) => each.port)].map((each) => `:${each}`).join(' + ')
  return host.length < longest ? host : `:${port}`
}
