import { bool, choice, float64, int32, type ParameterDefinition } from '../parameter'

const depth = [0.1, 100] as const
const acquisitionModes = ['Continuous', 'SingleFrame', 'SingleFrameOut1'] as const

/** Size of the depth image and time to compute it, by quality. */
export const qualities = {
  Low: { width: 214, height: 160, seconds: 0.04 },
  Medium: { width: 320, height: 240, seconds: 1 / 15 },
  High: { width: 640, height: 480, seconds: 1 / 3 },
  Full: { width: 1280, height: 960, seconds: 1 },
} as const
export type Quality = keyof typeof qualities

export const stereoMatchingParameters: readonly ParameterDefinition[] = [
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
