import type { Pose, Vector } from '../../lib/robotics/pose'
import type { Environment } from '../module'
import type { LoadCarrier } from '../records/records'
import { complete, InvalidArgument, type PartialArguments, positiveVector } from '../arguments'
import { depthRange, type Detection } from './answering'
import {
  angleBetween,
  type Area,
  areaOf,
  axisOf,
  type Frames,
  isInBox,
  lengthOf,
  measured,
  pointIn,
  scaled,
  seenFrom,
  type View,
  viewOf,
  storedLoadCarrier,
} from './geometry'
import { type Bin, bottomOf, caster, type Item, type Scene, sceneSource, solidsOf } from './scene'

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
function findLoadCarrier(model: LoadCarrier, search: LoadCarrierSearch): FoundLoadCarrier | undefined {
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
const topOf = ({ pose, size }: Pick<Item, 'pose' | 'size'>): Vector =>
  pointIn(pose, { x: 0, y: 0, z: size.z / 2 })

export interface CellCount {
  x: number
  y: number
}

/** The filling level of a part of a load carrier. Its frame is that of the load carrier; metres. */
export interface FillingLevel {
  /** The centre of the cell, at the height of its filling. */
  position: Vector
  size: CellCount
  /** Share of the cell that was measured. */
  coverage: number
  /** Height of the filling above the inner bottom. */
  heights: { min: number; mean: number; max: number }
}

/** Rays in each direction for a load carrier, and at least for a cell. */
const rays = { load_carrier: 24, cell: 3 }
/** The device reports coverage in this number of steps up to 1. */
const coverageSteps = 10
/** Height above the rim at which rays begin, metres. */
const above = 1

/**
 * Filling levels of the cells of a load carrier, row by row from the lowest x and y.
 * @param range nearest and farthest measurable depth, metres
 */
export function fillingLevels(
  { inner, outer, pose }: FoundLoadCarrier,
  cells: CellCount,
  scene: Scene,
  range: readonly [number, number],
): FillingLevel[] {
  const bottom = outer.z / 2 - inner.z
  // Seen from above, the walls are outside all cells.
  const cast = caster([bottomOf({ inner, outer, pose }), ...solidsOf({ ...scene, bin: undefined })])
  const down = scaled(axisOf(pose, 'z'), -1)
  const size = { x: inner.x / cells.x, y: inner.y / cells.y }

  const heightAt = (x: number, y: number): number | undefined => {
    const from = pointIn(pose, { x, y, z: outer.z / 2 + above })
    const way = cast(from, down)
    const z = from.z + way * down.z
    return z >= range[0] && z <= range[1] ? outer.z / 2 + above - way - bottom : undefined
  }

  const raysIn = (count: number) => Math.max(rays.cell, Math.ceil(rays.load_carrier / count))
  const across = raysIn(cells.x)
  const along = raysIn(cells.y)
  return Array.from({ length: cells.x * cells.y }, (_, index) => {
    const left = (index % cells.x) * size.x - inner.x / 2
    const front = Math.floor(index / cells.x) * size.y - inner.y / 2
    const heights = Array.from({ length: across * along }, (_, ray) =>
      heightAt(
        left + (((ray % across) + 0.5) / across) * size.x,
        front + ((Math.floor(ray / across) + 0.5) / along) * size.y,
      ),
    ).filter((height) => height !== undefined)
    const mean = heights.length ? heights.reduce((one, other) => one + other) / heights.length : 0
    return {
      position: { x: left + size.x / 2, y: front + size.y / 2, z: bottom + mean },
      size,
      coverage: Math.round((heights.length / (across * along)) * coverageSteps) / coverageSteps,
      heights: heights.length
        ? { min: Math.min(...heights), mean, max: Math.max(...heights) }
        : { min: 0, mean, max: 0 },
    }
  })
}

interface SearchArguments {
  region_of_interest_id?: string
  region_of_interest_2d_id?: string
  load_carrier_id?: string
  load_carrier_compartment?: PartialArguments<{ box: Vector; pose: Pose }>
}

/** What a detection finds in the part of the scene that its arguments name. */
export interface SearchResult {
  scene: Scene
  /** The requested load carrier. */
  loadCarrier: FoundLoadCarrier | undefined
  /** As shown in an answer. */
  load_carriers: object[]
  /** Items there with nothing on top, within the range of depths. */
  items: readonly Item[]
  /** Why the detection ends here. */
  nothing: 'no load carrier' | 'load carrier empty' | undefined
}

/** Height above its rim in which the load carrier is searched, metres. */
const aboveRim = 0.1

/**
 * Searches the load carrier, if one is named, and the items in it; adds a remark if there is none.
 * @param what a search for the load carrier alone gets no remark on an empty one
 */
export function search(
  environment: Environment,
  detection: Detection,
  what: 'items' | 'the load carrier alone' = 'items',
): SearchResult {
  const args = detection.args as SearchArguments
  const { frames, remark } = detection
  const scene = environment.ofPipeline(sceneSource)()
  const view = viewOf(environment)
  const area = areaOf(args, environment, frames, view)
  const id = args.load_carrier_id
  const compartment = compartmentOf(args)
  const model = id ? storedLoadCarrier(environment, id, 'load_carrier_id') : undefined
  if (compartment && !model) throw new InvalidArgument('load_carrier_compartment needs a load_carrier_id')
  detection.look()

  const loadCarrier = model && findLoadCarrier(model, { scene, view, area, frames, environment })
  if (model) detection.took('load_carrier_detection_time')
  const load_carriers = loadCarrier ? [shownLoadCarrier(loadCarrier, frames)] : []
  const nothing = { scene, loadCarrier, load_carriers, items: [] }
  if (model && !loadCarrier) {
    remark(100, `the load carrier '${model.id}' was not found`)
    return { ...nothing, nothing: 'no load carrier' }
  }
  if (what === 'the load carrier alone') return { ...nothing, nothing: undefined }
  const crop = Number(environment.parameter('load_carrier', 'crop_distance'))
  const inside = scene.items.filter((item) => !loadCarrier || isInside(loadCarrier, item, crop))
  if (loadCarrier && inside.length === 0) {
    remark(102, `the load carrier '${loadCarrier.model.id}' is empty`)
    return { ...nothing, nothing: 'load carrier empty' }
  }
  const range = depthRange(environment)
  const items = inside.filter((item) => {
    const top = topOf(item)
    if (!item.top || !area(top) || top.z < range[0] || top.z > range[1]) return false
    if (!compartment || !loadCarrier) return true
    return isInBox(compartment.box, seenFrom(compartment.pose, seenFrom(loadCarrier.pose, top)))
  })
  return { ...nothing, items, nothing: undefined }
}

/** A compartment's pose is in the frame of the load carrier. One without a size is ignored. */
function compartmentOf({ load_carrier_compartment: given }: SearchArguments) {
  const { x = 0, y = 0, z = 0 } = given?.box ?? {}
  if (!given?.box || (x === 0 && y === 0 && z === 0)) return undefined
  return {
    box: positiveVector(given.box, 'load_carrier_compartment.box'),
    pose: complete(given.pose, 'load_carrier_compartment.pose'),
  }
}

function isInside({ inner, outer, pose }: FoundLoadCarrier, item: Item, crop: number): boolean {
  const { x, y, z } = seenFrom(pose, item.pose.position)
  return (
    Math.abs(x) <= inner.x / 2 - crop &&
    Math.abs(y) <= inner.y / 2 - crop &&
    z >= outer.z / 2 - inner.z &&
    z <= outer.z / 2 + aboveRim
  )
}
