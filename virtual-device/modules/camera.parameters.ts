import type { Variant } from '../../lib/contract'
import { bool, choice, float64, int32, type ParameterDefinition } from '../parameter'

/** The full image, px. */
export const imageSize = { width: 1280, height: 960 }
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

export const triggerSources = ['Software', 'In1', 'In2', 'In3', 'In4'] as const

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

/** The parameters of a stereo camera, from which the others are derived. */
export const stereoCameraParameters = (variant: Variant): readonly ParameterDefinition[] =>
  variant === 'multi' ? [...common, ...triggering] : common
