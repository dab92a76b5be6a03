import {
  type Environment,
  type Module,
  bool,
  choice,
  float64,
  int32,
  type ParameterDefinition,
  text,
} from '../module'
import { drifting } from '../values'
import { rounded } from '../arguments'
import { depthTrigger } from './stereo-matching'

/** Our choices: the sources give neither the size of the depth image nor its duration. */
const size = { width: 640, height: 480 }
const capture = 0.05

/** Depth from the time of flight of light. */
export function timeOfFlight(environment: Environment): Module {
  const { clock, random, scenario, parameter } = environment
  const slowness = drifting(random, 0.01, 0.005)
  const parameterOf = (name: string) => parameter('time_of_flight', name)
  const period = () => Math.max(capture, 1 / Number(parameter('camera', 'fps')))
  const triggers = depthTrigger(environment, { ready: period, period })

  return {
    name: 'time_of_flight',
    scope: 'pipeline',
    lockedByGenicam: true,
    parameters: timeOfFlightParameters,
    services: triggers.services,
    values: () => {
      const slower = 1 + slowness(clock.now())
      const continuous = scenario().image_client ? 1 / (period() * slower) : 0
      return {
        fps: rounded(parameterOf('acquisition_mode') === 'Continuous' ? continuous : triggers.perSecond()),
        latency: rounded(period() * slower),
        ...size,
        mindepth: Number(parameterOf('mindepth')),
        maxdepth: Number(parameterOf('maxdepth')),
      }
    },
  }
}

const byte = [0, 255] as const

const timeOfFlightParameters: readonly ParameterDefinition[] = [
  choice('acquisition_mode', 'Continuous', ['Continuous', 'SingleFrame'], 'When depth images are captured'),
  bool('ambiguity_filter', true, 'Remove pixels whose depth is ambiguous'),
  int32('ambiguity_filter_threshold', 204, byte, 'Strength of the ambiguity filter'),
  float64('exp_value', 0.001, [0.0001, 0.001], 'Exposure time of the depth camera', { unit: 's' }),
  int32('fill', 3, [0, 4], 'Largest step bridged by hole filling', { unit: 'px' }),
  bool('gamma_correction', true, 'Brighten dark areas of the intensity image'),
  float64('maxdepth', 10, [0.01, 10], 'Farthest depth kept', { unit: 'm' }),
  float64('minconf', 0.00488, [0, 1], 'Lowest confidence kept'),
  float64('mindepth', 0.1, [0.1, 10], 'Nearest depth kept', { unit: 'm' }),
  bool('outlier_removal', true, 'Remove outlier pixels'),
  int32('outlier_removal_threshold', 5, [0, 8], 'Strength of the outlier filter'),
  int32('seg', 200, [0, 4000], 'Smallest connected region kept', { unit: 'px' }),
  bool('spatial_filter', true, 'Filter noise in space'),
  bool('temporal_filter', true, 'Filter noise in time'),
  int32('temporal_filter_strength', 200, [50, 255], 'Strength of the temporal filter'),
  bool('thermal_drift_correction', true, 'Correct the drift with temperature'),
]

const depth = [0.3, 100] as const
/** Our choices: the sources give neither the size of the depth image nor the duration of the projected patterns. */
const structuredLightSize = { width: 1280, height: 960 }
const structuredLightCapture = 0.5

/** Depth from projected patterns. */
export function structuredLight(environment: Environment): Module {
  const { clock, now, random, scenario, parameter } = environment
  const slowness = drifting(random, 0.03, 0.02)
  const period = () => Math.max(structuredLightCapture, 1 / Number(parameter('camera', 'fps')))
  const triggers = depthTrigger(environment, { ready: period, period })

  return {
    name: 'structured_light',
    scope: 'pipeline',
    lockedByGenicam: true,
    parameters: [
      choice(
        'acquisition_mode',
        'SingleFrame',
        ['Continuous', 'SingleFrame'],
        'When depth images are captured',
      ),
      float64('maxdepth', 100, depth, 'Farthest depth kept', { unit: 'm' }),
      float64('mindepth', 0.3, depth, 'Nearest depth kept', { unit: 'm' }),
      text('preset_name', '', 'Name of a capture preset'),
    ],
    services: triggers.services,
    values: () => {
      const slower = 1 + slowness(clock.now())
      const continuous = parameter('structured_light', 'acquisition_mode') === 'Continuous'
      const rate = scenario().image_client ? 1 / (period() * slower) : 0
      return {
        fps: rounded(continuous ? rate : triggers.perSecond()),
        ...structuredLightSize,
        last_timestamp_grabbed: continuous && rate > 0 ? now() : triggers.last(),
        latency: rounded(period() * slower),
      }
    },
  }
}
