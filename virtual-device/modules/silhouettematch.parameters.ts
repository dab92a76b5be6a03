import { bool, choice, float64, int32, type ParameterDefinition } from '../parameter'

/** Parameters of both modules that match objects. */
export const matchParameters: readonly ParameterDefinition[] = [
  bool('check_collisions', false, 'Check grasps that have a gripper for collisions'),
  bool(
    'check_collisions_during_retraction',
    false,
    'Check the held object against the load carrier while it leaves',
  ),
  bool('check_collisions_with_matches', true, 'Check the gripper against the other objects that were found'),
  bool('check_collisions_with_point_cloud', false, 'Check the gripper against the point cloud'),
  bool('only_highest_priority_grasps', false, 'Return the grasps of the highest priority only'),
]

export const silhouetteMatchParameters: readonly ParameterDefinition[] = [
  ...matchParameters,
  bool('check_collisions_with_base_plane', true, 'Check the gripper against the base plane'),
  float64('edge_sensitivity', 0.7, [0.1, 1], 'Sensitivity of the edge detector'),
  float64('match_max_distance', 3, [0.1, 10], 'Largest distance of an edge to that of the template', {
    unit: 'px',
  }),
  float64('match_percentile', 0.8, [0.7, 1], 'Share of the template that has to match'),
  int32('max_number_of_detected_objects', 10, [1, 20], 'Most objects returned'),
  choice(
    'point_cloud_enhancement',
    'Off',
    ['Off', 'ReplaceBright'],
    'Repair of the point cloud by the base plane',
  ),
  choice('quality', 'High', ['Low', 'Medium', 'High'], 'Resolution of the image for matching'),
]
