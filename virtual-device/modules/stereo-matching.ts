import {
  type Environment,
  type Module,
  returnCode,
  returnCodeShape,
  type ServiceCall,
  type ServiceDefinition,
  bool,
  choice,
  float64,
  int32,
  type ParameterDefinition,
  type ParameterValue,
  pictureTriggers,
} from '../module'
import { rounded } from '../arguments'
import { drifting } from '../values'
import { baseline, focal, recentRate } from './camera'
import { outputAlternates } from './io-control'

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

const depth = [0.1, 100] as const

const acquisitionModes = ['Continuous', 'SingleFrame', 'SingleFrameOut1'] as const

/** Size of the depth image and time to compute it, by quality. */
const qualities = {
  Low: { width: 214, height: 160, seconds: 0.04 },
  Medium: { width: 320, height: 240, seconds: 1 / 15 },
  High: { width: 640, height: 480, seconds: 1 / 3 },
  Full: { width: 1280, height: 960, seconds: 1 },
} as const

type Quality = keyof typeof qualities

const stereoMatchingParameters: readonly ParameterDefinition[] = [
  choice('acquisition_mode', 'Continuous', acquisitionModes, 'When depth images are computed', {
    license: { component: 'iocontrol', value: 'SingleFrameOut1' },
  }),
  choice('quality', 'High', Object.keys(qualities), 'Resolution of the depth image', {
    license: { component: 'stereo_plus', value: 'Full' },
  }),
  bool('double_shot', false, 'Combine two disparity images to fill holes'),
  bool('static_scene', false, 'Average 8 images before matching'),
  bool('smooth', true, 'Smooth disparities', { license: { component: 'stereo_plus', value: true } }),
  float64('exposure_adapt_timeout', 0, [0, 2], 'Longest wait for the automatic exposure after a trigger', {
    unit: 's',
  }),
  int32('seg', 200, [0, 4000], 'Smallest connected region kept, counted at quality High', { unit: 'px' }),
  int32('fill', 3, [0, 4], 'Largest disparity step bridged by hole filling', { unit: 'px' }),
  float64('minconf', 0, [0, 1], 'Lowest confidence kept'),
  float64('mindepth', 0.1, depth, 'Nearest depth to be measured', { unit: 'm' }),
  float64('maxdepth', 100, depth, 'Farthest depth kept; the maximum means unlimited', { unit: 'm' }),
  float64('maxdeptherr', 100, [0.01, 100], 'Largest depth error kept', { unit: 'm' }),
]

type Values = Readonly<Record<string, ParameterValue>>

/** Our choice: the share of its time limit that the automatic exposure needs. */
const adaptShare = 0.5

/** Our choice: the share of the computation saved by the smallest search range. */
const rangeShare = 0.2

const smallestMindepth = 0.1

/** Time to compute one depth image, seconds. A larger `mindepth` searches fewer disparities. */
function computing(parameters: Values): number {
  const { seconds } = qualities[parameters.quality as Quality]
  const saved = rangeShare * (1 - smallestMindepth / Number(parameters.mindepth))
  return seconds * (1 - saved) * (parameters.double_shot === true ? 2 : 1)
}

/** Time to collect the images of one depth image, seconds: averaging needs 8 frames, only in High and Full. */
function gathering(parameters: Values, cameraFps: number): number {
  const averages = parameters.quality === 'High' || parameters.quality === 'Full'
  return parameters.static_scene === true && averages ? Math.max(8 / cameraFps, 0.32) : 0
}

/** Shortest time between two depth images, seconds: at least one frame of the camera. */
const depthPeriod = (parameters: Values, cameraFps: number): number =>
  Math.max(computing(parameters) + gathering(parameters, cameraFps), 1 / cameraFps)

/** From a trigger until all pictures of the depth image are taken, seconds. */
function takingTime(parameters: Values, cameraFps: number, automaticExposure: boolean): number {
  const settling = automaticExposure ? adaptShare * Number(parameters.exposure_adapt_timeout) : 0
  // With output 1, the image without projection is taken one frame after the one with projection.
  const secondImage = parameters.acquisition_mode === 'SingleFrameOut1' ? 1 / cameraFps : 0
  return settling + secondImage + Math.max(gathering(parameters, cameraFps), 1 / cameraFps)
}

/** From a trigger to the depth image, seconds. */
function triggeredPeriod(parameters: Values, cameraFps: number, automaticExposure: boolean): number {
  const settling = automaticExposure ? adaptShare * Number(parameters.exposure_adapt_timeout) : 0
  // With output 1, the image without projection is taken one frame after the one with projection.
  const secondImage = parameters.acquisition_mode === 'SingleFrameOut1' ? 1 / cameraFps : 0
  return settling + secondImage + depthPeriod(parameters, cameraFps)
}

const window = 10 // seconds over which the rate of triggered depth images is measured

type Seconds = (parameters: ServiceCall['parameters']) => number

interface DepthTiming {
  ready: Seconds
  /** From a trigger until its pictures are taken. @default as `ready` */
  taken?: Seconds
  /** Between two untriggered depth images. */
  period: () => number
}

/** One depth image per trigger, which is answered at once; the image stream sends the image. */
export function depthTrigger(environment: Environment, { ready, taken = ready, period }: DepthTiming) {
  const { variant, clock, scenario, call } = environment
  const pictures = environment.ofPipeline(pictureTriggers)
  pictures.depthPeriod = period
  let pendingUntil = 0
  const triggers = recentRate(environment, window)

  const acquisition_trigger: ServiceDefinition = {
    description: 'Computes depth from the next available images.',
    args: {},
    response: returnCodeShape,
    call: ({ parameters }) => {
      if (parameters.acquisition_mode === 'Continuous')
        return returnCode(-8, 'acquisition_mode is Continuous: triggers work only in the single-frame modes')
      if (!scenario().image_client && pictures.depthClients === 0)
        return returnCode(102, 'trigger ignored: no client receives the depth images')
      if (clock.now() < pendingUntil) return returnCode(101, 'trigger ignored: another trigger is pending')
      const now = clock.now()
      pendingUntil = now + ready(parameters)
      pictures.add({
        of: 'depth',
        taken: Math.min(now + taken(parameters), pendingUntil),
        ready: pendingUntil,
      })
      triggers.note()
      if (variant === 'multi') call('camera', 'acquisition_trigger')
      return returnCode(0)
    },
  }

  return { services: { acquisition_trigger }, perSecond: triggers.perSecond, last: triggers.last }
}
