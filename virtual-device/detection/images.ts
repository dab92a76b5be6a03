import type { Environment } from '../module'
import { optionalParameter } from '../services/optional-parameter'
import { ServiceFailure } from './service-failure'

/** The images that a detection looks at. */
export interface Images {
  /** By the device's time, seconds since 1970. */
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
  const { now, parameter, module, stale, call } = environment
  const ofCamera = (name: string) => optionalParameter(environment, 'camera', name)
  /** Seconds since 1970. */
  const last: { depth?: number; camera?: number } = {}

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
    const time = now()
    last.camera = time
    if (depth) last.depth = time
    return { time, acquisition: latency }
  }
  /**
   * Images that there are already: with depth those that a detection took last, so that two of them can look at the
   * same; else the newest of the camera.
   */
  const reuse = (depth: boolean): Images => {
    const comes = depth
      ? last.depth === undefined && parameter(depthNodeOf(environment), 'acquisition_mode') === 'Continuous'
      : ofCamera('acquisition_mode') !== 'Trigger'
    if (comes) return { ...acquire(depth), acquisition: 0 }
    const time = depth ? last.depth : last.camera
    if (time === undefined) throw new ServiceFailure(-11, 'no images: none were taken yet')
    return { time, acquisition: 0 }
  }
  return { acquire, reuse }
}
