import { returnCode, returnCodeShape, type Environment, type Module } from '../module'
import type { ParameterValue } from '../parameter'
import { drifting } from '../random'
import { baseline, focal } from './camera'
import { computing, depthPeriod, triggeredPeriod } from './depth-timing'
import { outputAlternates } from './io-control'
import { recentRate } from './recent-rate'
import { rounded } from './rounded'
import { qualities, stereoMatchingParameters, type Quality } from './stereo-matching.parameters'

/** Disparities that the graphics memory holds; at quality Full they do not reach down to the smallest depth. */
const largestDisparity = 512

/** Depth from stereo images. Answers a trigger at once; the image itself never travels over this API. */
export function stereoMatching({ variant, clock, random, scenario, parameter, call }: Environment): Module {
  let pendingUntil = 0
  const triggers = recentRate(clock, 10)
  const share = drifting(random, 0.8, 0.02)
  const slowness = drifting(random, 0.03, 0.02)

  /** While output 1 alternates, only every other image has the projection that depth needs. */
  const cameraFps = () => Number(parameter('camera', 'fps')) / (outputAlternates(parameter) ? 2 : 1)
  const present = (): Record<string, ParameterValue> =>
    Object.fromEntries(stereoMatchingParameters.map(({ name }) => [name, parameter('stereomatching', name)]))

  return {
    name: 'stereomatching',
    scope: 'pipeline',
    license: 'stereo',
    lockedByGenicam: true,
    parameters: stereoMatchingParameters,
    services: {
      acquisition_trigger: {
        description: 'Computes depth from the next available image pair.',
        args: {},
        response: returnCodeShape,
        call: ({ parameters }) => {
          if (parameters.acquisition_mode === 'Continuous')
            return returnCode(
              -8,
              'acquisition_mode is Continuous: a trigger acts in the single-frame modes only',
            )
          if (!scenario().image_client)
            return returnCode(102, 'trigger ignored: nobody takes the depth images')
          if (clock.now() < pendingUntil) return returnCode(101, 'trigger ignored: another one is pending')
          const automatic = parameter('camera', 'exp_control') !== 'Manual'
          pendingUntil = clock.now() + triggeredPeriod(parameters, cameraFps(), automatic)
          triggers.note()
          if (variant === 'multi') call('camera', 'acquisition_trigger')
          return returnCode(0)
        },
      },
    },
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
