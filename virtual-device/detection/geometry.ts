import {
  composed,
  identity,
  inverted,
  type Pose,
  product,
  rotated,
  type Vector,
  normalized,
  ofRotationVector,
} from '../../lib/robotics/pose'
import type { Environment } from '../module'
import type { Region, Region2d, LoadCarrier } from '../records/records'
import {
  complete,
  InvalidArgument,
  oneOf,
  type PartialArguments,
  unlessZero,
  poseShape,
  vectorShape,
  timestampShape,
} from '../arguments'
import type { Gripper } from '../records/gripper'

type Databases = Pick<Environment, 'global'>

/** Finds a record of a database by its id. @throws InvalidArgument naming the argument if there is none */
type Finder<Stored> = (databases: Databases, id: string, argument: string) => Stored

const finder =
  (database: string, service: string, ids: string, list: string): Finder<unknown> =>
  ({ global }, id, argument) => {
    const get = global(database)?.services[service]
    const answer = get?.call({ args: { [ids]: [id] }, parameters: {} }) ?? {}
    const [found] = (answer[list] ?? []) as unknown[]
    if (found === undefined) throw new InvalidArgument(`${argument}: '${id}' is not in ${database}`)
    return found
  }

const storedRegion = finder(
  'roi_db',
  'get_regions_of_interest',
  'region_of_interest_ids',
  'regions_of_interest',
) as Finder<Region>

export const storedRegion2d = finder(
  'roi_db',
  'get_regions_of_interest_2d',
  'region_of_interest_2d_ids',
  'regions_of_interest',
) as Finder<Region2d>

export const storedLoadCarrier = finder(
  'load_carrier_db',
  'get_load_carriers',
  'load_carrier_ids',
  'load_carriers',
) as Finder<LoadCarrier>

export const storedGripper = finder(
  'gripper_db',
  'get_grippers',
  'gripper_ids',
  'grippers',
) as Finder<Gripper>

export const dot = (one: Vector, other: Vector): number => one.x * other.x + one.y * other.y + one.z * other.z

export const scaled = ({ x, y, z }: Vector, by: number): Vector => ({ x: x * by, y: y * by, z: z * by })

export const sum = (one: Vector, other: Vector): Vector => ({
  x: one.x + other.x,
  y: one.y + other.y,
  z: one.z + other.z,
})

export const lengthOf = ({ x, y, z }: Vector): number => Math.hypot(x, y, z)

/** The direction of a frame's axis. */
export const axisOf = ({ orientation }: Pose, axis: 'x' | 'y' | 'z'): Vector =>
  rotated({ x: 0, y: 0, z: 0, [axis]: 1 }, orientation)

/** Angle between two directions, radians. */
export const angleBetween = (one: Vector, other: Vector): number =>
  Math.acos(Math.min(1, Math.max(-1, dot(one, other) / (lengthOf(one) * lengthOf(other)))))

/** The point in the frame with that pose. */
export function seenFrom(pose: Pose, point: Vector): Vector {
  const { position, orientation } = inverted(pose)
  return sum(position, rotated(point, orientation))
}

export interface Pixel {
  x: number
  y: number
}

/** The projection of the camera of a pipeline: x to the right, y down, z ahead. */
export interface View {
  /** Width of the full image, px. */
  width: number
  height: number
  /** Focal length, px. */
  focal: number
  pixel: (point: Vector) => Pixel
  /** The direction of a pixel; one metre ahead. */
  ray: (pixel: Pixel) => Vector
  inImage: (point: Vector) => boolean
}

/** The projection from the camera's own parameters. */
export function viewOf({ module }: Pick<Environment, 'module'>): View {
  const values = module('camera')?.values?.() ?? {}
  const [width, height] = [Number(values.width), Number(values.height)]
  return viewWith(width, height, Number(values.focal) * width)
}

/** The projection with that horizontal field of view, degrees; unchanged without one. */
export function openedTo(opening: number | undefined, view: View): View {
  const { width, height } = view
  return opening === undefined
    ? view
    : viewWith(width, height, width / 2 / Math.tan((opening * Math.PI) / 360))
}

function viewWith(width: number, height: number, focal: number): View {
  const pixel = ({ x, y, z }: Vector) => ({ x: width / 2 + (focal * x) / z, y: height / 2 + (focal * y) / z })
  return {
    width,
    height,
    focal,
    pixel,
    ray: ({ x, y }) => ({ x: (x - width / 2) / focal, y: (y - height / 2) / focal, z: 1 }),
    inImage: (point) => {
      const { x, y } = pixel(point)
      return point.z > 0 && x >= 0 && x < width && y >= 0 && y < height
    },
  }
}

/** Radians of error per metre of error: an uncertainty of 1 mm corresponds to one of 0.3 degrees. */
const angular = 5

/** The random error of a measurement: about 0, with that standard deviation, and never more than three of them. */
export const deviation = (random: () => number, sigma: number): number =>
  // Four uniform draws have a standard deviation of 1/sqrt(3) and deviate by at most 2 from their mean.
  Math.max(-3, Math.min(3, (random() + random() + random() + random() - 2) * Math.sqrt(3))) * sigma

/** The pose as measured by a detection. @param sigma standard deviation of the position, metres */
export function measured({ position, orientation }: Pose, random: () => number, sigma: number): Pose {
  const error = (scale: number) => ({
    x: deviation(random, sigma * scale),
    y: deviation(random, sigma * scale),
    z: deviation(random, sigma * scale),
  })
  return {
    position: sum(position, error(1)),
    orientation: product(ofRotationVector(error(angular)), orientation),
  }
}

export const frameNames = ['camera', 'external'] as const

export type FrameName = (typeof frameNames)[number]

export interface HandEye {
  /** Pose of the camera: in the robot's frame if it is mounted there, otherwise in the external frame. */
  pose: Pose
  robot_mounted: boolean
}

/** The saved result of the hand-eye calibration of this pipeline. */
export function handEyeOf({ call }: Pick<Environment, 'call'>): HandEye | undefined {
  const calibration = call('hand_eye_calibration', 'get_calibration') as
    | (HandEye & { success: boolean })
    | undefined
  return calibration?.success ? calibration : undefined
}

/** Transforms from the camera's frame, in which the scene is given, to the frame that a caller requests. */
export class Frames {
  /** Frame of the answer. */
  readonly name: FrameName
  private readonly robotPose: Pose | undefined
  private robotNeeded = false

  /** Throws an InvalidArgument if that frame cannot be reached. */
  constructor(
    given: { pose_frame?: string | undefined; robot_pose?: PartialArguments<Pose> | undefined },
    readonly handEye: HandEye | undefined,
  ) {
    this.name = oneOf(given.pose_frame, frameNames, 'pose_frame')
    const told = unlessZero(given.robot_pose)
    this.robotPose = told && unit(complete(told, 'robot_pose'))
    this.camera(this.name)
  }

  /** Whether a robot pose was given but not needed. */
  get robotPoseIsSuperfluous(): boolean {
    return this.robotPose !== undefined && !this.robotNeeded
  }

  /** Whether the external frame can be reached: the robot pose is given or not needed. */
  get reachesExternal(): boolean {
    return this.handEye !== undefined && (!this.handEye.robot_mounted || this.robotPose !== undefined)
  }

  /** The pose of the camera in that frame. */
  camera(frame: FrameName): Pose {
    if (frame === 'camera') return identity()
    if (!this.handEye) throw new InvalidArgument('the frame external needs a saved hand-eye calibration')
    const camera = unit(this.handEye.pose)
    if (!this.handEye.robot_mounted) return camera
    if (!this.robotPose)
      throw new InvalidArgument(
        'robot_pose is missing or not set: the frame external needs it, the robot carries the camera',
      )
    this.robotNeeded = true
    return composed(this.robotPose, camera)
  }

  /** Transforms a pose from the camera's frame to the frame of the answer. */
  answer(pose: Pose): Pose {
    return composed(this.camera(this.name), pose)
  }

  /** Transforms a pose from that frame to the camera's. */
  inCamera(pose: Pose, frame: FrameName): Pose {
    return composed(inverted(this.camera(frame)), unit(pose))
  }
}

/** Robots round their quaternions. */
const unit = ({ position, orientation }: Pose): Pose => ({ position, orientation: normalized(orientation) })

/** Transforms a point of the frame with that pose to the frame in which the pose is given. */
export const pointIn = (pose: Pose, point: Vector): Vector =>
  composed(pose, { position: point, orientation: identity().orientation }).position

export const planarShape = { x: 'float64', y: 'float64' } as const

export const cellCountShape = { x: 'uint32', y: 'uint32' } as const

/** Arguments that select the frame of the poses. */
export const frameShape = { pose_frame: 'string', robot_pose: poseShape } as const

/** An object in an answer: its pose, the frame of the pose, and the time of the image. */
export const placedShape = { pose: poseShape, pose_frame: 'string', timestamp: timestampShape } as const

export const foundLoadCarrierShape = {
  id: 'string',
  type: 'string',
  inner_dimensions: vectorShape,
  outer_dimensions: vectorShape,
  rim_thickness: planarShape,
  rim_step_height: 'float64',
  rim_ledge: planarShape,
  height_open_side: 'float64',
  overfilled: 'bool',
  pose: poseShape,
  pose_frame: 'string',
} as const

export const compartmentShape = { box: vectorShape, pose: poseShape } as const

export const collisionDetectionShape = { gripper_id: 'string', pre_grasp_offset: vectorShape } as const

/** An item for a suction gripper; the field of its size differs between the modules. */
export const itemShape = {
  ...placedShape,
  uuid: 'string',
  type: 'string',
  template_id: 'string',
  view_name: 'string',
  view_pose_set: 'bool',
  view_uuid: 'string',
} as const

export const suctionGraspShape = {
  ...placedShape,
  uuid: 'string',
  item_uuid: 'string',
  type: 'string',
  quality: 'float64',
  max_suction_surface_length: 'float64',
  max_suction_surface_width: 'float64',
} as const

/** A grasp on a matched object. */
export const objectGraspShape = {
  ...placedShape,
  uuid: 'string',
  id: 'string',
  gripper_id: 'string',
  priority: 'int8',
  collision_checked: 'bool',
} as const

/** Whether a point in the camera's frame is inside. */
export type Area = (point: Vector) => boolean

/**
 * The area of the regions named in the arguments: at most one, in space or in the image.
 * @throws InvalidArgument for two regions, or one that is not stored
 */
export function areaOf(
  args: { region_of_interest_id?: string; region_of_interest_2d_id?: string },
  environment: Environment,
  frames: Frames,
  view: View,
): Area {
  const { region_of_interest_id: id, region_of_interest_2d_id: id2d } = args
  if (id && id2d)
    throw new InvalidArgument('region_of_interest_id and region_of_interest_2d_id exclude each other')
  if (id) {
    const region = storedRegion(environment, id, 'region_of_interest_id')
    const pose = frames.inCamera(region.pose, region.pose_frame)
    return (point) => view.inImage(point) && isInRegion(region, pose, point)
  }
  if (!id2d) return view.inImage
  const region = storedRegion2d(environment, id2d, 'region_of_interest_2d_id')
  return (point) => view.inImage(point) && isInRegion2d(region, view.pixel(point))
}

function isInRegion({ type, box, sphere }: Region, pose: Pose, point: Vector): boolean {
  const inner = seenFrom(pose, point)
  return type === 'SPHERE' ? lengthOf(inner) <= sphere.radius : isInBox(box, inner)
}

/** @param size edge lengths of a box around the origin */
export const isInBox = (size: Vector, point: Vector): boolean =>
  Math.abs(point.x) <= size.x / 2 && Math.abs(point.y) <= size.y / 2 && Math.abs(point.z) <= size.z / 2

const isInRegion2d = ({ offset_x, offset_y, width, height }: Region2d, { x, y }: Pixel): boolean =>
  x >= offset_x && x < offset_x + width && y >= offset_y && y < offset_y + height
