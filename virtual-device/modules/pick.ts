/** itempick and boxpick: grasps for suction grippers on items of unknown or rectangular shape. */
import type { Shape } from '../../lib/contract'
import {
  type Environment,
  type Module,
  partsOf,
  returnCodeShape,
  type ServiceDefinition,
  bool,
  float64,
  int32,
  type ParameterDefinition,
  choice,
} from '../module'
import {
  timestampShape,
  InvalidArgument,
  notNegative,
  oneOf,
  type PartialArguments,
  vectorShape,
  positive,
  positiveVector,
} from '../arguments'
import { runState, uuid, type Detection, detections, ServiceFailure } from '../detection/answering'
import {
  collisionDetectionShape,
  compartmentShape,
  foundLoadCarrierShape,
  frameShape,
  itemShape,
  suctionGraspShape,
  planarShape,
} from '../detection/geometry'
import { preferences, suctionCup, type SuctionGrasp, suctionGrasps } from '../detection/grasps'
import { search } from '../detection/load-carriers'
import { type Surface, surfaceOf, curvature } from '../detection/scene'
import type { Vector } from '../../lib/robotics/pose'

interface PickSelection {
  select: (surfaces: readonly Surface[]) => Surface[]
  /** If missing, the answer contains no items. */
  item?: ShownItem
}

interface PickKind {
  name: string
  /** License component required by some item models. */
  extension: string
  parameters: Module['parameters']
  modelShape: Shape
  sizeShape: Readonly<Record<string, Shape>>
  /** Has a service that detects items without computing grasps. */
  detectsItems: boolean
  wanted: (detection: Detection) => PickSelection
}

function pickModule(environment: Environment, kind: PickKind): Module {
  const { random, changed } = environment
  const run = runState(environment)
  const wishes = preferences(['gravity', 'surface_area'], changed)
  const detection = detections(environment, {
    durations: { grasp_computation_time: 0.12, load_carrier_detection_time: 0.35, processing_time: 0.3 },
  })

  const detect = (given: Detection, graspsToo: boolean) => {
    const { args, frames, remark } = given
    run.assertRunning()
    const { select, item } = kind.wanted(given)
    if (graspsToo) suctionCup(args)
    const found = search(environment, given)
    const { scene, load_carriers } = found
    if (found.nothing) return { load_carriers }

    const surfaces = select(found.items.map((each) => surfaceOf(each, random, scene.settings.noise)))
    const order = wishes.order(frames, scene)
    const grasps = graspsToo ? suctionGrasps(environment, given, found, surfaces, order) : undefined
    if (!graspsToo && surfaces.length === 0) remark(101, 'no item was found')
    return {
      load_carriers,
      ...pickAnswer(given, random, { surfaces: order.sorted(surfaces), grasps, item }),
    }
  }

  const searched = {
    ...frameShape,
    item_models: [kind.modelShape],
    load_carrier_compartment: compartmentShape,
    load_carrier_id: 'string',
    region_of_interest_id: 'string',
  } as const
  const answered = {
    load_carriers: [foundLoadCarrierShape],
    timestamp: timestampShape,
    ...returnCodeShape,
  } as const
  const itemsOnly: Record<string, ServiceDefinition> = {
    detect_items: detection.service({
      description: 'Detects items.',
      args: searched,
      required: ['pose_frame', 'item_models'],
      response: { items: [{ ...itemShape, ...kind.sizeShape }], ...answered },
      detect: (given) => detect(given, false),
    }),
  }

  return {
    name: kind.name,
    scope: 'pipeline',
    license: kind.name,
    extensions: [kind.extension],
    parameters: kind.parameters,
    services: {
      ...(kind.detectsItems && itemsOnly),
      compute_grasps: detection.service({
        description: 'Computes grasps for a suction gripper.',
        args: {
          ...searched,
          collision_detection: collisionDetectionShape,
          suction_surface_length: 'float64',
          suction_surface_width: 'float64',
        },
        required: ['pose_frame', 'suction_surface_length', 'suction_surface_width'],
        response: {
          grasps: [suctionGraspShape],
          items: [{ ...itemShape, ...kind.sizeShape, grasp_uuids: ['string'] }],
          ...answered,
        },
        detect: (given) => detect(given, true),
      }),
      ...wishes.services,
      ...run.services,
      ...detection.services,
    },
    state: run.state,
    values: () => ({ ...detection.values(), state: run.state() }),
    reset: wishes.resetStrategies,
    ...partsOf({ preferences: wishes }),
  }
}

type ShownItem = (surface: Surface) => { type: string; template_id: string; [size: string]: unknown }

interface PickResult {
  /** In the order of the answer. */
  surfaces: readonly Surface[]
  /** Undefined if none were requested. */
  grasps: readonly SuctionGrasp[] | undefined
  /** Undefined: the answer contains no items. */
  item: ShownItem | undefined
}

/** Items and suction grasps in answers, linked by uuids. */
function pickAnswer(
  { frames, look }: Pick<Detection, 'frames' | 'look'>,
  random: () => number,
  { surfaces, grasps, item }: PickResult,
) {
  const placed = { pose_frame: frames.name, timestamp: look().timestamp }
  const items = surfaces.map((surface) => ({ surface, uuid: item ? uuid(random) : '' }))
  const named = grasps?.map((grasp) => ({ grasp, uuid: uuid(random) }))
  return {
    items: items.flatMap(({ surface, uuid: id }) => {
      if (!item) return []
      const of = named?.filter(({ grasp }) => grasp.surface === surface)
      return [
        {
          ...placed,
          ...item(surface),
          uuid: id,
          pose: frames.answer(surface.pose),
          view_name: '',
          view_pose_set: false,
          view_uuid: '',
          ...(of && { grasp_uuids: of.map((grasp) => grasp.uuid) }),
        },
      ]
    }),
    ...(named && {
      grasps: named.map(({ grasp, uuid: id }) => ({
        ...placed,
        ...shownGrasp(grasp),
        uuid: id,
        item_uuid: items.find(({ surface }) => surface === grasp.surface)?.uuid ?? '',
        pose: frames.answer(grasp.pose),
      })),
    }),
  }
}

const shownGrasp = ({ surface: { length, width }, quality }: SuctionGrasp) => ({
  type: 'SUCTION',
  quality,
  max_suction_surface_length: length,
  max_suction_surface_width: width,
})

const ofBags = 'itempick_ai'

export const orientationThreshold = float64(
  'grasp_filter_orientation_threshold',
  45,
  [0, 180],
  'Largest angle to the preferred orientation; 0 allows all',
  { unit: 'deg' },
)

/** Parameters of both modules for suction grippers. */
const suctionParameters: readonly ParameterDefinition[] = [
  bool('allow_any_grasp_z_rotation', false, 'Grasps may be turned about their axis as it suits the tool'),
  float64('cluster_max_curvature', 0.11, [0.005, 0.5], 'Largest curvature within a cluster'),
  float64('clustering_discontinuity_factor', 1, [0.1, 5], 'Sensitivity to steps in depth within a patch'),
  float64('clustering_max_surface_rmse', 0.004, [0.0005, 0.01], 'Largest error of a fitted surface', {
    unit: 'm',
  }),
  orientationThreshold,
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
    wanted: (detection) => itemSelection(environment, detection),
  })

type ItemModel = { type: string; unknown: { min_dimensions: Vector; max_dimensions: Vector } }

function itemSelection({ variant, scenario }: Environment, { args, parameters }: Detection): PickSelection {
  const models = (args.item_models ?? []) as PartialArguments<ItemModel>[]
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
function limitsOf({ min_dimensions: min, max_dimensions: max }: PartialArguments<ItemModel['unknown']> = {}) {
  const limit = (name: 'min_dimensions' | 'max_dimensions', axis: 'x' | 'y') =>
    notNegative((name === 'min_dimensions' ? min : max)?.[axis], `item_models[0].unknown.${name}.${axis}`)
  const least = { x: limit('min_dimensions', 'x'), y: limit('min_dimensions', 'y') }
  const most = { x: limit('max_dimensions', 'x') || Infinity, y: limit('max_dimensions', 'y') || Infinity }
  if (least.x > most.x || least.y > most.y)
    throw new InvalidArgument('item_models[0].unknown.min_dimensions must not exceed max_dimensions')
  return ({ length, width }: Surface) =>
    length >= least.x && length <= most.x && width >= least.y && width <= most.y
}

type Planar = { x: number; y: number }

type Rectangle = { min_dimensions: Planar; max_dimensions: Planar }

type TexturedBox = { dimensions: Vector; dimensions_tolerance_m: number; template_id: string }

type BoxModel = { type: string; rectangle: Rectangle; textured_box: TexturedBox }

const ofTextures = 'boxpick_match'

const layouts = ['Unconstrained', 'PackedGridLayout', 'PackedLayers']

const usualTolerance = 0.01 // our choice, metres

/** Detects boxes for suction grippers. */
export const boxpick = (environment: Environment): Module =>
  pickModule(environment, {
    name: 'boxpick',
    extension: ofTextures,
    parameters: [
      ...suctionParameters,
      bool('allow_untextured_detections', false, 'Return boxes without texture too for models that have one'),
      float64('line_sensitivity', 0.1, [0.1, 1], 'Sensitivity of the line detector in manual mode'),
      bool('manual_line_sensitivity', false, 'Use line_sensitivity instead of an automatic value'),
      float64('min_cluster_coverage', 0, [0, 0.99], 'Share of a cluster that items have to cover'),
      choice('mode', 'Unconstrained', layouts, 'Layout that the rectangles are assumed to have'),
      bool('prefer_splits', false, 'Split large rectangles where small ones fit'),
    ],
    modelShape: {
      type: 'string',
      rectangle: { min_dimensions: planarShape, max_dimensions: planarShape },
      textured_box: {
        dimensions: vectorShape,
        dimensions_tolerance_m: 'float64',
        max_deformation_m: 'float64',
        template_id: 'string',
      },
    },
    sizeShape: { rectangle: planarShape, bounding_box: vectorShape },
    detectsItems: true,
    wanted: (detection) => boxSelection(environment, detection),
  })

function boxSelection(environment: Environment, { args, parameters, remark }: Detection): PickSelection {
  const models = (args.item_models ?? []) as PartialArguments<BoxModel>[]
  if (models.length > 1) throw new ServiceFailure(-301, 'item_models: at most one is possible')
  const [model] = models
  if (!model) throw new InvalidArgument('item_models: one is required')
  const type = oneOf(model.type, ['RECTANGLE', 'TEXTURED_BOX'], 'item_models[0].type')
  const fits =
    type === 'RECTANGLE' ? rectangle(model.rectangle) : texturedBox(environment, model.textured_box)
  return {
    select: (surfaces) => {
      const boxes = surfaces.filter((surface) => !surface.item.curved && fits(surface))
      const covered = boxes.filter(({ item }) => item.coverage >= Number(parameters.min_cluster_coverage))
      if (covered.length < boxes.length)
        remark(112, `min_cluster_coverage rejected ${boxes.length - covered.length} clusters`)
      return covered
    },
    item: ({ length, width, item }) => ({
      type,
      template_id: type === 'TEXTURED_BOX' ? (model.textured_box?.template_id ?? '') : '',
      rectangle: { x: length, y: width },
      bounding_box: { x: length, y: width, z: item.size.z },
    }),
  }
}

/** The longer edge is x, in limits and in answers. */
function rectangle({ min_dimensions: min, max_dimensions: max }: PartialArguments<Rectangle> = {}) {
  const field = 'item_models[0].rectangle'
  const least = (axis: 'x' | 'y') => notNegative(min?.[axis], `${field}.min_dimensions.${axis}`)
  const most = (axis: 'x' | 'y') => positive(max?.[axis], `${field}.max_dimensions.${axis}`)
  const limits = { x: [least('x'), most('x')] as const, y: [least('y'), most('y')] as const }
  for (const axis of ['x', 'y'] as const)
    if (limits[axis][0] > limits[axis][1])
      throw new InvalidArgument(`${field}.min_dimensions.${axis} must not exceed the maximum`)
  const within = (value: number, [from, to]: readonly [number, number]) => value >= from && value <= to
  return ({ length, width }: Surface) => within(length, limits.x) && within(width, limits.y)
}

function texturedBox({ scenario, templates }: Environment, given: PartialArguments<TexturedBox> = {}) {
  const field = 'item_models[0].textured_box'
  if (scenario().license[ofTextures] === false)
    throw new ServiceFailure(-9, `no valid license: the component ${ofTextures} is missing`)
  const dimensions = positiveVector(given.dimensions, `${field}.dimensions`)
  const tolerance =
    notNegative(given.dimensions_tolerance_m, `${field}.dimensions_tolerance_m`) || usualTolerance
  const { template_id: id } = given
  if (id && !templates('boxpick').includes(id))
    throw new InvalidArgument(`${field}.template_id: there is no template '${id}'`)
  const close = (one: number, other: number) => Math.abs(one - other) <= tolerance
  return ({ length, width, item }: Surface) =>
    close(length, Math.max(dimensions.x, dimensions.y)) &&
    close(width, Math.min(dimensions.x, dimensions.y)) &&
    close(item.size.z, dimensions.z)
}
