import type { Variant } from '../../lib/contract'
import { choice, float64, text, type ParameterDefinition } from '../parameter'
import { imageSize, stereoCameraParameters } from './camera.parameters'

type Parameters = readonly ParameterDefinition[]

/** Camera parameters of a kind of sensor. */
export function cameraParameters(variant: Variant, kind: string): Parameters {
  const stereo = stereoCameraParameters(variant)
  return ofKind[kind]?.(stereo) ?? stereo
}

/** The full image of a kind of sensor, px. */
export const imageSizeOf = (kind: string) => (kind === 'stereo_b' ? { width: 4112, height: 3008 } : imageSize)

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
