import type { Vector } from '../../lib/robotics/pose'
import { depthRange, type Detection, detections } from '../detection/answering'
import {
  cellCountShape,
  deviation,
  type Frames,
  frameShape,
  type Pixel,
  pointIn,
  scaled,
  sum,
  type View,
  viewOf,
  storedRegion2d,
} from '../detection/geometry'
import { caster, sceneSource, solidsOf } from '../detection/scene'
import { type Environment, type Module, returnCodeShape } from '../module'
import { InvalidArgument, timestampShape, vectorShape } from '../arguments'

const rectangleShape = { offset_x: 'uint32', offset_y: 'uint32', width: 'uint32', height: 'uint32' } as const

const depthsShape = {
  coverage: 'float64',
  min_z: vectorShape,
  mean_z: vectorShape,
  max_z: vectorShape,
} as const

const mostCells = 100

/** In each direction. */
const rays = { overall: 12, cell: 5 }

/** Measures depths in the image. */
export function measure(environment: Environment): Module {
  const scene = environment.ofPipeline(sceneSource)
  const detection = detections(environment, { durations: { processing_time: 0.02 } })

  const detect = ({ args, frames, look }: Detection) => {
    const count = cellCount(args.cell_count as Partial<typeof noCells> | undefined)
    const view = viewOf(environment)
    const region = rectangle(environment, args, view)
    const size = { width: region.width / (count.x || 1), height: region.height / (count.y || 1) }
    if (size.width < 1 || size.height < 1) throw new InvalidArgument('cell_count: more cells than pixels')
    look()
    const now = scene()
    const image: DepthImage = {
      view,
      cast: caster(solidsOf(now)),
      range: depthRange(environment),
      random: environment.random,
      noise: now.settings.noise,
    }
    const cells = Array.from({ length: count.x * count.y }, (_, index) => ({
      ...size,
      offset_x: region.offset_x + (index % count.x) * size.width,
      offset_y: region.offset_y + Math.floor(index / count.x) * size.height,
    }))
    return {
      overall: shown(depthsIn(region, image, rays.overall), frames),
      cells: cells.map((cell) => shown(depthsIn(cell, image, rays.cell), frames)),
      cell_count: count,
      region_of_interest_2d: region,
      pose_frame: frames.name,
    }
  }

  return {
    name: 'measure',
    scope: 'pipeline',
    license: 'measure',
    parameters: [],
    services: {
      measure_depth: detection.service({
        description: 'Measures depths in a region of the image and in its cells.',
        args: {
          ...frameShape,
          cell_count: cellCountShape,
          data_acquisition_mode: 'string',
          region_of_interest_2d: rectangleShape,
          region_of_interest_2d_id: 'string',
        },
        required: ['pose_frame'],
        response: {
          overall: depthsShape,
          cells: [depthsShape],
          cell_count: cellCountShape,
          region_of_interest_2d: rectangleShape,
          pose_frame: 'string',
          timestamp: timestampShape,
          ...returnCodeShape,
        },
        detect,
      }),
      ...detection.services,
    },
    values: detection.values,
  }
}

const noCells = { x: 0, y: 0 }

function cellCount(given: Partial<typeof noCells> = noCells) {
  const { x, y } = { ...noCells, ...given }
  if (x * y > mostCells)
    throw new InvalidArgument(`cell_count: at most ${mostCells} cells are possible, not ${x * y}`)
  // One without the other is meaningless: no cells then.
  return x * y === 0 ? noCells : { x, y }
}

/** The region with the given id, otherwise the given region, otherwise the whole image. */
function rectangle(environment: Environment, args: Record<string, unknown>, view: View): Rectangle {
  const whole = { offset_x: 0, offset_y: 0, width: view.width, height: view.height }
  const id = args.region_of_interest_2d_id as string | undefined
  const given = args.region_of_interest_2d as Partial<Rectangle> | undefined
  const stored = id ? storedRegion2d(environment, id, 'region_of_interest_2d_id') : undefined
  const empty = !stored && (!given || Object.values(given).every((value) => value === 0))
  const { offset_x, offset_y, width, height } = empty
    ? whole
    : { ...whole, width: 0, height: 0, ...given, ...stored }
  if (width === 0 || height === 0)
    throw new InvalidArgument('region_of_interest_2d: width and height must be above 0')
  if (offset_x + width > view.width || offset_y + height > view.height)
    throw new InvalidArgument(`region_of_interest_2d: outside the image, ${view.width} x ${view.height}`)
  return { offset_x, offset_y, width, height }
}

function shown({ coverage, min, mean, max }: Depths, frames: Frames) {
  const there = frames.camera(frames.name)
  const point = (each: Depths['min']) => (coverage === 0 ? each : pointIn(there, each))
  return { coverage, min_z: point(min), mean_z: point(mean), max_z: point(max) }
}

interface Rectangle {
  offset_x: number
  offset_y: number
  width: number
  height: number
}

/** Share of pixels with a depth, 0 to 1, and nearest, mean and farthest point. */
interface Depths {
  coverage: number
  min: Vector
  mean: Vector
  max: Vector
}

interface DepthImage {
  view: View
  /** Lengths of the direction to the first hit. */
  cast: (from: Vector, direction: Vector) => number
  /** Nearest and farthest measurable depth, metres. */
  range: readonly [number, number]
  random: () => number
  /** Standard deviation of a depth, metres. */
  noise: number
}

const holes = 0.03 // our choice: the share of pixels without a depth

const camera = { x: 0, y: 0, z: 0 }

/** The depths in a rectangle of the depth image. @param rays in each direction */
function depthsIn(
  { offset_x, offset_y, width, height }: Rectangle,
  { view, cast, range: [nearest, farthest], random, noise }: DepthImage,
  rays: number,
): Depths {
  const columns = spread(offset_x, width, rays)
  const pixels: Pixel[] = spread(offset_y, height, rays).flatMap((y) => columns.map((x) => ({ x, y })))
  const points = pixels.flatMap((pixel) => {
    const ray = view.ray(pixel)
    const depth = cast(camera, ray) + deviation(random, noise)
    const measured = random() >= holes && depth >= nearest && depth <= farthest
    return measured ? [scaled(ray, depth)] : []
  })
  const [first] = points
  if (!first) return { coverage: 0, min: camera, mean: camera, max: camera }
  return {
    coverage: points.length / pixels.length,
    min: points.reduce((one, other) => (other.z < one.z ? other : one), first),
    mean: scaled(points.reduce(sum), 1 / points.length),
    max: points.reduce((one, other) => (other.z > one.z ? other : one), first),
  }
}

/** Evenly distributed over a length; one per pixel for a short one. */
function spread(offset: number, length: number, most: number): number[] {
  const count = Math.min(most, length)
  return Array.from({ length: count }, (_, index) => offset + ((index + 0.5) / count) * length)
}
