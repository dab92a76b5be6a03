import type { Vector } from '../../lib/robotics/pose'
import type { Detection } from '../detection/detections'
import { pickModule, type PickSelection } from '../detection/pick-module'
import { ServiceFailure } from '../detection/answering'
import { planarShape } from '../detection/geometry'
import type { Surface } from '../detection/scene'
import type { Environment, Module } from '../module'
import { bool, choice, float64 } from '../parameter'
import {
  InvalidArgument,
  notNegative,
  oneOf,
  positive,
  positiveVector,
  type PartialArguments,
  vectorShape,
} from '../services/arguments'
import { suctionParameters } from './itempick'

type Planar = { x: number; y: number }
type Rectangle = { min_dimensions: Planar; max_dimensions: Planar }
type TexturedBox = { dimensions: Vector; dimensions_tolerance_m: number; template_id: string }
type Model = { type: string; rectangle: Rectangle; textured_box: TexturedBox }

const ofTextures = 'boxpick_match'
const layouts = ['Unconstrained', 'PackedGridLayout', 'PackedLayers']
/** Our choice, metres. */
const usualTolerance = 0.01

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
    wanted: (detection) => wanted(environment, detection),
  })

function wanted(environment: Environment, { args, parameters, remark }: Detection): PickSelection {
  const models = (args.item_models ?? []) as PartialArguments<Model>[]
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
