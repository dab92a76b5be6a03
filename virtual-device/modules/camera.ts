import { returnCode, returnCodeShape, type Environment, type Module, type ModuleFactory } from '../module'
import type { ParameterValue } from '../parameter'
import { drifting } from '../random'
import { cameraParameters, imageSizeOf } from './camera-kinds'
import { stereoCameraParameters, triggerSources } from './camera.parameters'
import { exposureIn } from './exposure'
import { outputAlternates } from './io-control'
import { pictureTriggers } from '../picture-triggers/picture-triggers'
import { recentRate } from './recent-rate'
import { rounded } from '../services/rounded'

type Values = Readonly<Record<string, ParameterValue>>

/** Distance between the two sensors, metres. */
export const baseline = 0.0650542
/** Focal length divided by the image width. */
export const focal = 0.844893
/** Time constant of warming up, seconds. */
const warmUp = 600

/** The camera of a pipeline for that kind of sensor. */
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
  /** If a kind of sensor lacks a parameter, it behaves as a stereo camera does by default. */
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
