import type { Environment } from '../module'
import { optionalParameter } from '../services/optional-parameter'
import { ServiceFailure } from './service-failure'

/** The images that a detection uses. */
export interface Images {
  /** Device time, seconds since 1970. */
  time: number
  /** Seconds until they were available. */
  acquisition: number
}

const depthNodes = ['stereomatching', 'time_of_flight', 'structured_light'] as const

/** Bare name of the node that produces the depth images of a pipeline. */
export const depthNodeOf = ({ module }: Environment): string =>
  depthNodes.find((name) => module(name)) ?? depthNodes[0]

/** Nearest and farthest measurable depth, metres. */
export const depthRange = (environment: Environment): readonly [number, number] => {
  const node = depthNodeOf(environment)
  return [Number(environment.parameter(node, 'mindepth')), Number(environment.parameter(node, 'maxdepth'))]
}

/** Takes images of a pipeline for its detection modules. */
export function imageSource(environment: Environment) {
  const { now, parameter, module, stale, call } = environment
  const ofCamera = (name: string) => optionalParameter(environment, 'camera', name)
  /** Seconds since 1970. */
  const last: { depth?: number; camera?: number } = {}

  /** Images taken after the call. @throws ServiceFailure if the sensor provides none */
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
   * Existing images: with depth the last ones used by a detection, so that two detections can use the same; otherwise
   * the newest of the camera.
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
