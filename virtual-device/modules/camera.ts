import type { Variant } from '../../lib/contract'
import {
  type Environment,
  type Module,
  type ModuleFactory,
  returnCode,
  returnCodeShape,
  bool,
  choice,
  float64,
  int32,
  type ParameterDefinition,
  type ParameterValue,
  text,
  pictureTriggers,
} from '../module'
import { drifting } from '../values'
import { rounded } from '../arguments'
import { outputAlternates } from './io-control'

/** The full image, px. */
const imageSize = { width: 1280, height: 960 }
const column = [0, imageSize.width - 1] as const
const row = [0, imageSize.height - 1] as const
const exposure = [6.6e-5, 0.018] as const
const ratio = [0.125, 8] as const

const common: readonly ParameterDefinition[] = [
  float64('fps', 25, [1, 25], 'Delivered frame rate', { unit: 'Hz' }),
  bool('exp_auto', true, 'Automatic or manual exposure; superseded by exp_control'),
  choice('exp_control', 'Auto', ['Manual', 'Auto', 'HDR'], 'Exposure control mode'),
  choice('exp_auto_mode', 'Normal', ['Normal', 'Out1High', 'AdaptiveOut1'], 'Images that steer the exposure'),
  float64('exp_auto_average_max', 0.75, [0, 1], 'Upper target of mean brightness for automatic exposure'),
  float64('exp_auto_average_min', 0.25, [0, 1], 'Lower target of mean brightness for automatic exposure'),
  float64('exp_max', 0.007, exposure, 'Longest exposure in automatic mode', { unit: 's' }),
  float64('exp_value', 0.005, exposure, 'Exposure time in manual mode', { unit: 's' }),
  float64('gain_value', 0, [0, 18], 'Gain in manual mode', { unit: 'dB' }),
  int32('exp_offset_x', 0, column, 'Left column of the exposure window', { unit: 'px' }),
  int32('exp_offset_y', 0, row, 'Top row of the exposure window', { unit: 'px' }),
  int32('exp_width', 0, column, 'Width of the exposure window; 0 means the whole image', { unit: 'px' }),
  int32('exp_height', 0, row, 'Height of the exposure window; 0 means the whole image', { unit: 'px' }),
  float64('gamma', 1, [0.1, 10], 'Gamma factor; 1 is linear'),
  bool('wb_auto', true, 'Automatic white balance; colour cameras only'),
  float64('wb_ratio_blue', 2.4, ratio, 'Blue-to-green ratio for manual white balance'),
  float64('wb_ratio_red', 1.2, ratio, 'Red-to-green ratio for manual white balance'),
]

const triggerSources = ['Software', 'In1', 'In2', 'In3', 'In4'] as const

const triggering: readonly ParameterDefinition[] = [
  choice('acquisition_mode', 'Continuous', ['Continuous', 'Trigger'], 'Free-running or triggered camera'),
  choice('trigger_source', 'Software', triggerSources, 'Trigger source in mode Trigger'),
  choice(
    'trigger_activation',
    'RisingEdge',
    ['RisingEdge', 'FallingEdge', 'AnyEdge'],
    'Edge of the trigger signal',
  ),
]

const stereoCameraParameters = (variant: Variant): readonly ParameterDefinition[] =>
  variant === 'multi' ? [...common, ...triggering] : common

type Parameters = readonly ParameterDefinition[]

export function cameraParameters(variant: Variant, kind: string): Parameters {
  const stereo = stereoCameraParameters(variant)
  return ofKind[kind]?.(stereo) ?? stereo
}

/** Of the full image, px. */
const imageSizeOf = (kind: string) => (kind === 'stereo_b' ? { width: 4112, height: 3008 } : imageSize)

const colourRatio = [0.125, 8] as const
const offset = [-1, 1] as const
const lightSources = ['Off', 'Tungsten', 'Daylight5000K', 'Daylight6500K', 'FactoryLED6000K']

const ofKind: Readonly<Record<string, (stereo: Parameters) => Parameters>> = {
  stereo_c: (stereo) => [
    ...changed(stereo, { exp_auto: { default: false }, exp_control: { default: 'Manual' } }),
    float64('brightness', 0, offset, 'Offset of the image brightness'),
    float64('contrast', 0, offset, 'Offset of the contrast'),
    choice('contrast_mode', 'Linear', ['Linear', 'SCurve'], 'Curve of the contrast'),
    choice('light_source_preset', 'Daylight6500K', lightSources, 'Light that the colours are corrected for'),
    float64('saturation', 1, [0, 2], 'Saturation of the colours'),
    float64('wb_ratio_green', 1, colourRatio, 'Green ratio for manual white balance'),
  ],
  time_of_flight: (stereo) =>
    changed(
      stereo.filter(({ name }) => name !== 'gamma' && name !== 'acquisition_mode' && !/^trigger_/.test(name)),
      {
        exp_auto_average_max: { default: 0.5 },
        exp_auto_average_min: { default: 0 },
        exp_auto_mode: { choices: ['Normal'] },
        exp_control: { choices: ['Manual', 'Auto'] },
        exp_height: { max: 960 },
        exp_offset_x: { max: 1280 },
        exp_offset_y: { max: 960 },
        exp_width: { max: 1280 },
        fps: { default: 20 },
        wb_ratio_blue: { default: 1 },
        wb_ratio_red: { default: 1 },
      },
    ),
  structured_light: (stereo) => [
    ...changed(
      stereo.filter(({ name }) => name === 'acquisition_mode' || name === 'fps'),
      { acquisition_mode: { default: 'Trigger' } },
    ),
    text('preset_name', '', 'Name of a stored capture preset'),
  ],
}

const changed = (
  parameters: Parameters,
  changes: Readonly<Record<string, Partial<ParameterDefinition>>>,
): ParameterDefinition[] => parameters.map((each) => ({ ...each, ...changes[each.name] }))

/** Product of exposure time and gain factor, in seconds, that saturates the image at a light level of 1. */
const saturation = 0.011
const largestGain = 18

/** `exp` in seconds, `gain` in dB, and the mean `brightness` from 0 to 1. */
function exposureIn(light: number, parameters: Values): { exp: number; gain: number; brightness: number } {
  const { exp, gain } =
    parameters.exp_control === 'Manual'
      ? { exp: Number(parameters.exp_value), gain: Number(parameters.gain_value) }
      : automatic(light, parameters)
  return { exp, gain, brightness: Math.min(1, (exp * 10 ** (gain / 20) * light) / saturation) }
}

/** Uses the longest allowed exposure before it amplifies, because gain adds noise. */
function automatic(light: number, parameters: Values): { exp: number; gain: number } {
  const target = (Number(parameters.exp_auto_average_min) + Number(parameters.exp_auto_average_max)) / 2
  const needed = (target * saturation) / light
  const exp = Math.min(Math.max(needed, 6.6e-5), Number(parameters.exp_max))
  const gain = Math.min(Math.max(20 * Math.log10(needed / exp), 0), largestGain)
  return { exp, gain: Number.isFinite(gain) ? gain : 0 }
}

/** Events per second over the last `window` seconds, and the time of the last event. */
export function recentRate({ clock, now }: Pick<Environment, 'clock' | 'now'>, window = 5) {
  let times: number[] = []
  let last = 0
  return {
    note: () => {
      times = [...times.filter((time) => time > clock.now() - window), clock.now()]
      last = now()
    },
    perSecond: () => times.filter((time) => time > clock.now() - window).length / window,
    /** Device time, seconds since 1970; 0 before the first. */
    last: () => last,
  }
}

type Values = Readonly<Record<string, ParameterValue>>

/** Distance between the two sensors, metres. */
export const baseline = 0.0650542
/** Focal length divided by the image width. */
export const focal = 0.844893
const warmUp = 600 // time constant of warming up, seconds

export const cameraOf = (kind: string): ModuleFactory => {
  // Its name determines its random numbers, which must be the same for all kinds.
  const camera: ModuleFactory = (environment) => cameraModule(environment, kind)
  return camera
}

/** The image sensors. They always run at 25 Hz internally; `fps` only reduces what is delivered. */
function cameraModule(environment: Environment, kind: string): Module {
  const { variant, clock, random, parameter } = environment
  const started = clock.now()
  const triggers = recentRate(environment)
  const pictures = environment.ofPipeline(pictureTriggers)
  const light = drifting(random, 1, 0.15)
  const jitter = drifting(random, 1, 0.008)
  const grabbing = drifting(random, 0.00406513, 0.0003)
  const temperatures = { left: drifting(random, 39.6, 0.3), right: drifting(random, 38.2, 0.3) }
  const whiteBalance = { blue: drifting(random, 2.4, 0.05), red: drifting(random, 1.2, 0.03) }
  const reduction = drifting(random, 0.3, 0.05)
  const calibrationOffset = drifting(random, 0, 0.02)

  const definitions = cameraParameters(variant, kind)
  const has = (parameterName: string) => definitions.some(({ name }) => name === parameterName)
  const standard = Object.fromEntries(
    stereoCameraParameters(variant).map((each) => [each.name, each.default]),
  )
  /** Without a parameter, a kind of sensor behaves as a stereo camera does by default. */
  const present = (): Values => ({
    ...standard,
    ...Object.fromEntries(definitions.map(({ name }) => [name, parameter('camera', name)])),
  })
  const sources = has('trigger_source') ? triggerSources.join(',') : has('acquisition_mode') ? 'Software' : ''
  const warmed = (temperature: number) =>
    (temperature - 12 * Math.exp((started - clock.now()) / warmUp)).toFixed(1)

  return {
    name: 'camera',
    scope: 'pipeline',
    lockedByGenicam: true,
    parameters: definitions,
    triggers: pictures,
    services: has('acquisition_mode')
      ? {
          acquisition_trigger: softwareTrigger(() => {
            triggers.note()
            pictures.add({ of: 'camera', taken: clock.now(), ready: clock.now() })
          }),
        }
      : {},
    written: (now, before, names) => {
      if (!has('exp_control')) return undefined
      const consistent = exposureControl(now, before)
      const control = consistent.exp_control ?? now.exp_control
      const last = exposureIn(light(clock.now()), before)
      const leftAuto = before.exp_control === 'Auto' && control !== 'Auto'
      const leftWhiteBalance = before.wb_auto === true && now.wb_auto === false
      const taken: Record<string, ParameterValue> = {
        ...(leftAuto && { exp_value: rounded(last.exp), gain_value: rounded(last.gain) }),
        ...(leftWhiteBalance && {
          wb_ratio_blue: rounded(whiteBalance.blue(clock.now())),
          wb_ratio_red: rounded(whiteBalance.red(clock.now())),
        }),
      }
      // Values set explicitly in the same write take precedence.
      const unnamed = Object.entries(taken).filter(([name]) => !names.includes(name))
      return { ...consistent, ...Object.fromEntries(unnamed) }
    },
    values: () => {
      const time = clock.now()
      const parameters = present()
      const { exp, gain, brightness } = exposureIn(light(time), parameters)
      const { width, height } = imageSizeOf(kind)
      const triggered = parameters.acquisition_mode === 'Trigger'
      return {
        baseline,
        brightness: rounded(brightness),
        color: 0,
        device_trigger_sources: sources,
        exp: rounded(exp),
        focal,
        fps: rounded(triggered ? triggers.perSecond() : Number(parameters.fps) * jitter(time)),
        gain: rounded(gain),
        gamma: Number(parameters.gamma),
        height,
        last_timestamp_grabbed: triggers.last(),
        out1_reduction: outputAlternates(parameter) ? rounded(reduction(time)) : 0,
        params_override_active: 0,
        selfcalib_counter: 0,
        selfcalib_offset: rounded(calibrationOffset(time)),
        temp_left: warmed(temperatures.left(time)),
        temp_right: warmed(temperatures.right(time)),
        test: 0,
        time: rounded(grabbing(time)),
        width,
      }
    },
  }
}

/** `exp_auto` is the older switch for the same; if one write changes both, the newer one applies. */
function exposureControl(now: Values, before: Values): Record<string, ParameterValue> {
  const byOlder = now.exp_auto !== before.exp_auto && now.exp_control === before.exp_control
  return byOlder
    ? { exp_control: now.exp_auto === true ? 'Auto' : 'Manual' }
    : { exp_auto: now.exp_control === 'Auto' }
}

const softwareTrigger = (fire: () => void): Module['services'][string] => ({
  description: 'Triggers one camera image by software.',
  args: {},
  response: returnCodeShape,
  call: ({ parameters }) => {
    if (parameters.acquisition_mode !== 'Trigger') return returnCode(-8, 'acquisition_mode is not Trigger')
    if ((parameters.trigger_source ?? 'Software') !== 'Software')
      return returnCode(-8, 'trigger_source is not Software')
    fire()
    return returnCode(0)
  },
})
