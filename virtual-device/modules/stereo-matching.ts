import type { Environment, Module } from '../module'
import type { ParameterValue } from '../parameter'
import { drifting } from '../random'
import { baseline, focal } from './camera'
import { computing, depthPeriod, takingTime, triggeredPeriod } from './depth-timing'
import { depthTrigger } from './depth-trigger'
import { outputAlternates } from './io-control'
import { rounded } from '../services/rounded'
import { qualities, stereoMatchingParameters, type Quality } from './stereo-matching.parameters'

/** Most disparities in the graphics memory; at quality Full they do not cover the smallest depth. */
const largestDisparity = 512

/** Depth from stereo images. */
export function stereoMatching(environment: Environment): Module {
  const { clock, random, scenario, parameter } = environment
  const share = drifting(random, 0.8, 0.02)
  const slowness = drifting(random, 0.03, 0.02)

  /** While output 1 alternates, only every other image has the projection that depth requires. */
  const cameraFps = () => Number(parameter('camera', 'fps')) / (outputAlternates(parameter) ? 2 : 1)
  const adapts = () => parameter('camera', 'exp_control') !== 'Manual'
  const triggers = depthTrigger(environment, {
    ready: (parameters) => triggeredPeriod(parameters, cameraFps(), adapts()),
    taken: (parameters) => takingTime(parameters, cameraFps(), adapts()),
    period: () => depthPeriod(present(), cameraFps()),
  })
  const present = (): Record<string, ParameterValue> =>
    Object.fromEntries(stereoMatchingParameters.map(({ name }) => [name, parameter('stereomatching', name)]))

  return {
    name: 'stereomatching',
    scope: 'pipeline',
    license: 'stereo',
    lockedByGenicam: true,
    parameters: stereoMatchingParameters,
    services: triggers.services,
    values: () => {
      const time = clock.now()
      const parameters = present()
      const { width, height } = qualities[parameters.quality as Quality]
      const period = depthPeriod(parameters, cameraFps())
      const continuous = scenario().image_client ? (1 - slowness(time)) / period : 0
      const nearest = (focal * width * baseline) / largestDisparity
      const mindepth = Number(parameters.mindepth)
      return {
        fps: rounded(parameters.acquisition_mode === 'Continuous' ? continuous : triggers.perSecond()),
        height,
        latency: rounded(period * (1 + slowness(time)) + 1 / cameraFps()),
        maxdepth: Number(parameters.maxdepth),
        mindepth: rounded(Math.max(mindepth, nearest)),
        reduced_depth_range: mindepth < nearest ? 1 : 0,
        time_matching: rounded(computing(parameters) * share(time)),
        time_postprocessing: rounded(computing(parameters) * (1 - share(time))),
        width,
      }
    },
  }
}
