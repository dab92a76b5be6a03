import type { Environment } from '../module'
import { optionalParameter } from '../modules/optional-parameter'
import { ServiceFailure } from './service-failure'

/** The images that a detection looks at. */
export interface Images {
  /** Seconds since 1970. */
  time: number
  /** Seconds until they were there. */
  acquisition: number
}

const depthNodes = ['stereomatching', 'time_of_flight', 'structured_light'] as const

/** Bare name of the node that the depth images of a pipeline come from. */
export const depthNodeOf = ({ module }: Environment): string =>
  depthNodes.find((name) => module(name)) ?? depthNodes[0]

/** Nearest and farthest depth that is measured, metres. */
export const depthRange = (environment: Environment): readonly [number, number] => {
  const node = depthNodeOf(environment)
  return [Number(environment.parameter(node, 'mindepth')), Number(environment.parameter(node, 'maxdepth'))]
}

/** Takes the images of a pipeline for its detection modules. */
export function imageSource(environment: Environment) {
  const { clock, scenario, parameter, module, stale, call } = environment
  const ofCamera = (name: string) => optionalParameter(environment, 'camera', name)
  let last: number | undefined

  /** Images that are newer than the call. @throws ServiceFailure where the sensor gives none */
  const acquire = (depth: boolean): Images => {
    const node = depthNodeOf(environment)
    for (const each of depth ? ['camera', node] : ['camera'])
      if (stale(each)) throw new ServiceFailure(-11, `no images: the node ${each} is not ready`)
    if (ofCamera('acquisition_mode') === 'Trigger') {
      if ((ofCamera('trigger_source') ?? 'Software') !== 'Software')
        throw new ServiceFailure(-4, 'data acquisition timed out: the camera waits for a trigger signal')
      call('camera', 'acquisition_trigger')
    }
    const latency = depth
      ? Number(module(node)?.values?.().latency ?? 0)
      : 1 / Number(parameter('camera', 'fps'))
    last = clock.now()
    return { time: last, acquisition: latency }
  }
  /** The newest images that there are already. */
  const reuse = (depth: boolean): Images => {
    const free =
      scenario().image_client &&
      (!depth || parameter(depthNodeOf(environment), 'acquisition_mode') === 'Continuous')
    if (free) return { ...acquire(depth), acquisition: 0 }
    if (last === undefined) throw new ServiceFailure(-11, 'no images: none were taken yet')
    return { time: last, acquisition: 0 }
  }
  return { acquire, reuse }
}
