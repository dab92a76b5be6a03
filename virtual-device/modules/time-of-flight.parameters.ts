import { bool, choice, float64, int32, type ParameterDefinition } from '../parameter'

const byte = [0, 255] as const

export const timeOfFlightParameters: readonly ParameterDefinition[] = [
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
