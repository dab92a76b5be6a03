import type { Pose, Vector } from '../../lib/robotics/pose'
import type { Environment } from '../module'
import type { LoadCarrier } from '../records/load-carrier-db'
import type { Area } from './area'
import { pointIn, type Frames } from './frames'
import { measured } from './measured'
import type { Bin, Item, Scene } from './scene'
import { angleBetween, axisOf, lengthOf, seenFrom } from './vectors'
import type { View } from './view'

/** A detected load carrier: with the model's dimensions if the scene has it. */
export interface FoundLoadCarrier extends Bin {
  model: LoadCarrier
  overfilled: boolean
}

/** Greatest distance of a detection, metres. */
const range = 3
/** Our choice: tolerated deviation of an orientation prior's vertical from the truth, radians. */
const priorTolerance = (10 * Math.PI) / 180

interface LoadCarrierSearch {
  scene: Scene
  view: View
  /** The area that must contain the centre of the opening. */
  area: Area
  frames: Frames
  environment: Pick<Environment, 'parameter' | 'random'>
}

/** The load carrier of a model: equal in all dimensions, and with its whole rim in the image. */
export function findLoadCarrier(model: LoadCarrier, search: LoadCarrierSearch): FoundLoadCarrier | undefined {
  const { scene, view, area, frames, environment } = search
  const found = (pose: Pose): FoundLoadCarrier => {
    const bin = { inner: model.inner_dimensions, outer: model.outer_dimensions, pose }
    return { ...bin, model, overfilled: scene.items.some((item) => risesAbove(bin, item)) }
  }
  const prior = model.pose_frame === '' ? undefined : frames.inCamera(model.pose, model.pose_frame)
  if (prior && model.pose_type === 'EXACT_POSE') return found(prior)

  const { bin } = scene
  if (!bin || !isLike(bin, model, Number(environment.parameter('load_carrier', 'model_tolerance'))))
    return undefined
  if (!rimOf(bin).every(view.inImage) || !area(pointIn(bin.pose, { x: 0, y: 0, z: bin.outer.z / 2 })))
    return undefined
  if (lengthOf(bin.pose.position) > range) return undefined
  if (prior && angleBetween(axisOf(prior, 'z'), axisOf(bin.pose, 'z')) > priorTolerance) return undefined
  return found(measured(bin.pose, environment.random, scene.settings.noise))
}

/** A load carrier as shown in an answer. */
export const shownLoadCarrier = ({ model, pose, overfilled }: FoundLoadCarrier, frames: Frames) => ({
  id: model.id,
  type: model.type,
  inner_dimensions: model.inner_dimensions,
  outer_dimensions: model.outer_dimensions,
  rim_thickness: model.rim_thickness,
  rim_step_height: model.rim_step_height,
  rim_ledge: model.rim_ledge,
  height_open_side: model.height_open_side,
  overfilled,
  pose: frames.answer(pose),
  pose_frame: frames.name,
})

const isLike = (bin: Bin, { inner_dimensions, outer_dimensions }: LoadCarrier, tolerance: number) => {
  const alike = (one: Vector, other: Vector) =>
    (['x', 'y', 'z'] as const).every((axis) => Math.abs(one[axis] - other[axis]) <= tolerance)
  return alike(bin.inner, inner_dimensions) && alike(bin.outer, outer_dimensions)
}

/** The upper corners. */
const rimOf = ({ outer: { x, y, z }, pose }: Bin): Vector[] =>
  [-1, 1].flatMap((left) =>
    [-1, 1].map((front) => pointIn(pose, { x: (left * x) / 2, y: (front * y) / 2, z: z / 2 })),
  )

function risesAbove({ inner, outer, pose }: Bin, item: Item): boolean {
  const { x, y, z } = seenFrom(pose, topOf(item))
  return Math.abs(x) <= inner.x / 2 && Math.abs(y) <= inner.y / 2 && z > outer.z / 2
}

/** The centre of an item's upper side. */
export const topOf = ({ pose, size }: Pick<Item, 'pose' | 'size'>): Vector =>
  pointIn(pose, { x: 0, y: 0, z: size.z / 2 })
