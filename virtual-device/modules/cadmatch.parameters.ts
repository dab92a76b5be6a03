import { choice, float64, int32, type ParameterDefinition } from '../parameter'
import { matchParameters } from './silhouettematch.parameters'

export const cadMatchParameters: readonly ParameterDefinition[] = [
  ...matchParameters,
  float64('edge_max_distance', 2, [0.5, 5], 'Largest distance of an edge to that of the template', {
    unit: 'px',
  }),
  float64('edge_sensitivity', 0.5, [0.05, 1], 'Sensitivity of the edge detector'),
  float64(
    'grasp_filter_orientation_threshold',
    45,
    [0, 180],
    'Largest angle to the preferred orientation; 0 allows all',
    { unit: 'deg' },
  ),
  int32('max_matches', 10, [1, 30], 'Most matches returned'),
  float64('min_score', 0.3, [0.05, 1], 'Lowest score of a match'),
  choice(
    'prior_selection_mode',
    'MatchSorting',
    ['MatchSorting', 'PriorAccessibility'],
    'How the poses to begin with are chosen',
  ),
]
