import type { Image } from '../../lib/codec/images/codec'
import type { Box } from '../../lib/images/cloud'
import { dataUrlOf } from '../../lib/images/picture'
import type { ImageSet } from '../../lib/images/options'
import type { Overlay, OverlayCamera } from '../../lib/overlay'
import { composed, identity, inverted, type Pose, type Vector } from '../../lib/robotics/pose'
import { devicePoseIn, deviceVectorIn } from '../../lib/robotics/pose-numbers'
import type { Connection } from '../device/connection'
import { HandEyeDevice } from '../hand-eye-calibration/device'
import { sentencesOf } from '../sentences'
import { isObject } from '../shared/is-object'
import { loadOverlay } from '../shared/load-later'
import type { FieldValues } from '../shared/read-fields'
import type { PictureFields } from './picture-fields'

const { invalidInput, nodeError } = sentencesOf('pictures')

/** What a service has found, drawn for a picture. */
export interface DrawnOverlay extends Pick<Overlay, 'svg' | 'found'> {
  /** Number of things outside the picture. */
  outside: number
  /** Number of things in the external frame that could not be drawn, and why. */
  external: number
  why?: 'noCalibration' | 'noRobotPose'
}

/** What is drawn, and over what. */
export interface FoundToDraw {
  /** Answer and arguments of the detection service. */
  answer: unknown
  args: unknown
  /** Width, height, focal length and principal point of the picture, pixels. */
  camera: unknown
  title?: string
  /** The picture as a data URL, if it is to be a part of the drawing. */
  picture?: string
  /** Asks the device for its hand-eye calibration. */
  calibration: () => Promise<unknown>
}

/**
 * Draws the answer of a detection service over a picture of the left camera. What is given in the external frame needs the
 * hand-eye calibration that is saved on the device, which is read, and for a camera on the robot the `robot_pose` of the
 * arguments.
 * @throws INVALID_INPUT naming what cannot be used; errors of reading the calibration
 */
export async function drawFound(given: FoundToDraw): Promise<DrawnOverlay> {
  const { answer, args, camera, title = '', picture, calibration } = given
  const { overlayOf, foundIn } = loadOverlay()
  const isExternal = foundIn(answer).things.some(({ frame }) => frame === 'external')
  const known = isExternal ? cameraIn(await calibration(), args) : {}
  try {
    const { svg, found, notDrawn } = overlayOf(answer, cameraOf(camera), {
      camera: known.pose,
      title,
      picture,
    })
    return { svg, found, ...notDrawn, ...(known.why && { why: known.why }) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalidInput('wrong-type', { field: 'camera', expected: 'camera', value: JSON.stringify(camera) })
  }
}

/** The call of `calibration`. */
export const calibrationCall = {
  node: 'dev_hand_eye_calibration',
  service: 'get_calibration',
  args: {},
} as const

function cameraOf(given: unknown): OverlayCamera {
  const { principalPoint, ...camera } = isObject(given) ? given : {}
  const { u, v } = isObject(principalPoint) ? principalPoint : {}
  const number = (value: unknown) => (typeof value === 'number' ? value : NaN)
  return {
    width: number(camera['width']),
    height: number(camera['height']),
    focalLength: number(camera['focalLength']),
    principalPoint: { u: number(u), v: number(v) },
  }
}

/** The pose of the camera in the external frame. */
function cameraIn(saved: unknown, args: unknown): { pose?: Pose; why?: DrawnOverlay['why'] } {
  const camera = isObject(saved) && saved['success'] === true ? devicePoseIn(saved['pose']) : undefined
  if (!camera || !isObject(saved)) return { why: 'noCalibration' }
  if (saved['robot_mounted'] !== true) return { pose: camera }
  const robot = isObject(args) ? devicePoseIn(args['robot_pose']) : undefined
  return robot ? { pose: composed(robot, camera) } : { why: 'noRobotPose' }
}

/** What a flow may want to know of a picture besides its pixels. */
interface PictureDetails {
  /** Pixels. */
  width: number
  height: number
  /** Of the picture as it was received. */
  encoding: string
  /** Pixels of this picture. */
  focalLength: number
  principalPoint: { u: number; v: number }
  /** Seconds. */
  exposureTime: number
  /** Decibels. */
  gain: number
  /** Mean brightness, 0 to 1. */
  brightness: number
  noise: number
  /** Metres; of the depth only. */
  baseline?: number
}

/** What is known of a whole set. */
interface SetDetails {
  /** When the pictures were taken, seconds since 1970 by the device's clock. */
  timestamp: number
  /** When the set arrived, milliseconds since 1970 by this computer's clock. */
  receivedAt: number
  /** Number of sets that were left out since the one before. */
  skipped: number
}

/** Exact to a microsecond; nanoseconds do not fit into a number. */
export const secondsOf = (nanoseconds: bigint): number => Number(nanoseconds / 1000n) / 1e6

export const setDetails = ({ timestamp, receivedAt, skipped }: ImageSet): SetDetails => ({
  timestamp: secondsOf(timestamp),
  receivedAt,
  skipped,
})

export const pictureDetails = ({
  width,
  height,
  encoding,
  focalLength,
  principalPoint,
  exposureTime,
  gain,
  brightness,
  noise,
}: Image): PictureDetails => ({
  width,
  height,
  encoding,
  focalLength,
  principalPoint: { ...principalPoint },
  exposureTime,
  gain,
  brightness,
  noise,
})

/** Lengths above zero, metres. */
function sizeIn(value: unknown): Vector | undefined {
  const size = deviceVectorIn(value)
  return size && size.x > 0 && size.y > 0 && size.z > 0 ? size : undefined
}

/** @throws INVALID_INPUT if it is no pose in the device's form */
export function readDevicePose(field: string, value: unknown): Pose {
  const pose = devicePoseIn(value)
  if (!pose) throw invalidInput('not-a-pose', { field })
  return pose
}

/**
 * A box as the device stores its regions: `box` with its size and `pose`, which may be missing at the origin.
 * @param frame in which the points are, as the device names frames; undefined if it has no name for it
 * @throws INVALID_INPUT if it is no box, or names another frame
 */
export function readRegion(field: string, value: unknown, frame: 'camera' | 'external' | undefined): Box {
  const record = isObject(value) ? value : {}
  const size = sizeIn(record['box'])
  const pose = record['pose'] === undefined ? identity() : devicePoseIn(record['pose'])
  if (!size || !pose) throw invalidInput('not-a-region', { field })
  const named = record['pose_frame']
  if (typeof named === 'string' && named !== '' && named !== frame)
    throw invalidInput('region-frame', { frame: named })
  return { pose, size }
}

/** A load carrier that the device has detected. Metres. */
interface FoundLoadCarrier {
  pose: Pose
  /** Whether the pose is in the robot's frame rather than in the camera's. */
  isExternal: boolean
  /** The space in it, in its own frame. */
  inside: Box
}

/** @throws INVALID_INPUT if it is no detected load carrier */
export function readLoadCarrier(field: string, value: unknown): FoundLoadCarrier {
  const record = isObject(value) ? value : {}
  const pose = devicePoseIn(record['pose'])
  const inner = sizeIn(record['inner_dimensions'])
  const outer = sizeIn(record['outer_dimensions']) ?? inner
  const frame = record['pose_frame']
  if (!pose || !inner || !outer || (frame !== 'camera' && frame !== 'external'))
    throw invalidInput('not-a-load-carrier', { field })
  // The pose is that of the outer box; the inside is open at the top, so the floor makes the difference in height.
  const centre = { x: 0, y: 0, z: (outer.z - inner.z) / 2 }
  return {
    pose,
    isExternal: frame === 'external',
    inside: { pose: { ...identity(), position: centre }, size: inner },
  }
}

/** The frame of a cloud and what is kept of it. */
export interface CloudFrame {
  /** The pose of the camera in the frame. @default the camera's own frame */
  camera?: Pose
  region?: Box
}

interface CloudFrameQuery {
  fields: Pick<PictureFields, 'cloudFrame'>
  read: FieldValues<'robotPose' | 'loadCarrier' | 'cloudRegion'>['read']
  device: Connection
  pipeline: string
  signal: AbortSignal
}

/**
 * Finds the frame of a cloud: for the robot's, by the hand-eye calibration that is saved on the device.
 * @throws INVALID_INPUT naming the field; NOT_FOUND if there is no calibration; errors of the call
 */
export async function cloudFrame(query: CloudFrameQuery): Promise<CloudFrame> {
  const { fields, read } = query
  const given = read('cloudRegion')
  const hasRegion = given !== undefined && given !== null && given !== ''
  const regionIn = (frame?: 'camera' | 'external') =>
    hasRegion ? { region: readRegion('cloudRegion', given, frame) } : {}

  if (fields.cloudFrame === 'camera') return regionIn('camera')
  if (fields.cloudFrame === 'robot') {
    const region = regionIn('external')
    return { camera: await cameraInRobot(query), ...region }
  }
  const { pose, isExternal, inside } = readLoadCarrier('loadCarrier', read('loadCarrier'))
  const region = { region: inside, ...regionIn() }
  const inCamera = isExternal ? composed(inverted(await cameraInRobot(query)), pose) : pose
  return { camera: inverted(inCamera), ...region }
}

async function cameraInRobot({ read, device, pipeline, signal }: CloudFrameQuery): Promise<Pose> {
  const asked = { pipeline, node: 'dev_hand_eye_calibration', signal }
  const saved = await new HandEyeDevice(device, asked, device.deadline).savedCalibration()
  if (!saved.success) throw nodeError('NOT_FOUND', 'no-hand-eye', { device: device.client.name, pipeline })
  if (!saved.robot_mounted) return saved.pose
  const given = read('robotPose')
  if (given === undefined || given === null || given === '')
    throw invalidInput('robot-pose-needed', { field: 'robotPose' })
  return composed(readDevicePose('robotPose', given), saved.pose)
}

/**
 * The picture of a message as the address of an image: drawn over by *call service*, or as *acquire* and *image receive* send
 * it, as a PNG file or a data URL, alone or as the left one of several parts. Undefined where it has none.
 */
export function pictureIn(msg: object): string | undefined {
  const { picture, payload } = msg as { picture?: unknown; payload?: unknown }
  const left = isObject(payload) ? payload['left'] : undefined
  return [picture, payload, left].map(asUrl).find((url) => url !== undefined)
}

const asUrl = (value: unknown): string | undefined =>
  Buffer.isBuffer(value) && value.subarray(1, 4).toString('latin1') === 'PNG'
    ? dataUrlOf(value)
    : typeof value === 'string' && value.startsWith('data:image/')
      ? value
      : undefined
