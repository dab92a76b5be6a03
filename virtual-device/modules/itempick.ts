import type { Vector } from '../../lib/robotics/pose'
import type { Detection } from '../detection/detections'
import { pickModule, type PickSelection } from '../detection/pick-module'
import { ServiceFailure } from '../detection/answering'
import { curvature, type Surface } from '../detection/scene'
import type { Environment, Module } from '../module'
import { bool, float64, int32, type ParameterDefinition } from '../parameter'
import {
  InvalidArgument,
  notNegative,
  oneOf,
  type PartialArguments,
  vectorShape,
} from '../services/arguments'

const ofBags = 'itempick_ai'

/** Parameters of both modules for suction grippers. */
export const suctionParameters: readonly ParameterDefinition[] = [
  bool('allow_any_grasp_z_rotation', false, 'Grasps may be turned about their axis as it suits the tool'),
  float64('cluster_max_curvature', 0.11, [0.005, 0.5], 'Largest curvature within a cluster'),
  float64('clustering_discontinuity_factor', 1, [0.1, 5], 'Sensitivity to steps in depth within a patch'),
  float64('clustering_max_surface_rmse', 0.004, [0.0005, 0.01], 'Largest error of a fitted surface', {
    unit: 'm',
  }),
  float64(
    'grasp_filter_orientation_threshold',
    45,
    [0, 180],
    'Largest angle to the preferred orientation; 0 allows all',
    { unit: 'deg' },
  ),
  int32('max_grasps', 5, [1, 20], 'Most grasps returned'),
]

/** Detects surfaces for suction grippers on items of any kind. */
export const itempick = (environment: Environment): Module =>
  pickModule(environment, {
    name: 'itempick',
    extension: ofBags,
    parameters: [
      ...suctionParameters,
      float64('cluster_max_dimension', 0.3, [0.05, 2], 'Largest diameter of a cluster that is used', {
        unit: 'm',
      }),
      int32('clustering_patch_size', 4, [3, 10], 'Size of the patches that clustering begins with', {
        unit: 'px',
      }),
    ],
    modelShape: {
      type: 'string',
      unknown: { min_dimensions: vectorShape, max_dimensions: vectorShape },
    },
    sizeShape: { bounding_box: vectorShape },
    detectsItems: false,
    wanted: (detection) => wanted(environment, detection),
  })

type Model = { type: string; unknown: { min_dimensions: Vector; max_dimensions: Vector } }

function wanted({ variant, scenario }: Environment, { args, parameters }: Detection): PickSelection {
  const models = (args.item_models ?? []) as PartialArguments<Model>[]
  if (models.length > 1) throw new ServiceFailure(-301, 'item_models: at most one is possible')
  const [model] = models
  const types = variant === 'multi' ? (['UNKNOWN', 'BAG'] as const) : (['UNKNOWN'] as const)
  const type = oneOf(model?.type ?? 'UNKNOWN', types, 'item_models[0].type')
  if (type === 'BAG' && scenario().license[ofBags] === false)
    throw new ServiceFailure(-9, `no valid license: the component ${ofBags} is missing`)
  const limits = type === 'UNKNOWN' ? limitsOf(model?.unknown) : () => true
  return {
    select: (surfaces) =>
      surfaces.filter(
        (surface) =>
          limits(surface) &&
          Math.hypot(surface.length, surface.width) <= Number(parameters.cluster_max_dimension) &&
          (!surface.item.curved || type === 'BAG' || curvature <= Number(parameters.cluster_max_curvature)),
      ),
    ...(type === 'BAG' && {
      item: ({ item: { size } }: Surface) => ({ type, template_id: '', bounding_box: size }),
    }),
  }
}

/** Limits of the surface: the longer edge along x. 0 is no limit. */
function limitsOf({ min_dimensions: min, max_dimensions: max }: PartialArguments<Model['unknown']> = {}) {
  const limit = (name: 'min_dimensions' | 'max_dimensions', axis: 'x' | 'y') =>
    notNegative((name === 'min_dimensions' ? min : max)?.[axis], `item_models[0].unknown.${name}.${axis}`)
  const least = { x: limit('min_dimensions', 'x'), y: limit('min_dimensions', 'y') }
  const most = { x: limit('max_dimensions', 'x') || Infinity, y: limit('max_dimensions', 'y') || Infinity }
  if (least.x > most.x || least.y > most.y)
    throw new InvalidArgument('item_models[0].unknown.min_dimensions must not exceed max_dimensions')
  return ({ length, width }: Surface) =>
    length >= least.x && length <= most.x && width >= least.y && width <= most.y
}
