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

export interface DrawnOverlay extends Pick<Overlay, 'svg' | 'found'> {
  outside: number
  /** Results in the external frame that could not be drawn. */
  external: number
  why?: 'noCalibration' | 'noRobotPose'
}

export interface FoundToDraw {
  answer: unknown
  args: unknown
  /** Width, height, focal length and principal point, pixels. */
  camera: unknown
  title?: string
  /** Data URL, if it is to be part of the drawing. */
  picture?: string
  calibration: () => Promise<unknown>
}

/**
 * Draws results over a picture of the left camera. Those in the external frame need the device's hand-eye calibration and,
 * for a camera on the robot, `robot_pose` in the arguments.
 * @throws INVALID_INPUT naming the unusable value; errors of reading the calibration
 */
export async function drawFound(drawing: FoundToDraw): Promise<DrawnOverlay> {
  const { answer, args, camera, title = '', picture, calibration } = drawing
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

export const calibrationCall = {
  node: 'dev_hand_eye_calibration',
  service: 'get_calibration',
  args: {},
} as const

function cameraOf(value: unknown): OverlayCamera {
  const { principalPoint, ...camera } = isObject(value) ? value : {}
  const { u, v } = isObject(principalPoint) ? principalPoint : {}
  const number = (value: unknown) => (typeof value === 'number' ? value : NaN)
  return {
    width: number(camera['width']),
    height: number(camera['height']),
    focalLength: number(camera['focalLength']),
    principalPoint: { u: number(u), v: number(v) },
  }
}

function cameraIn(saved: unknown, args: unknown): { pose?: Pose; why?: DrawnOverlay['why'] } {
  const camera = isObject(saved) && saved['success'] === true ? devicePoseIn(saved['pose']) : undefined
  if (!camera || !isObject(saved)) return { why: 'noCalibration' }
  if (saved['robot_mounted'] !== true) return { pose: camera }
  const robot = isObject(args) ? devicePoseIn(args['robot_pose']) : undefined
  return robot ? { pose: composed(robot, camera) } : { why: 'noRobotPose' }
}

interface PictureDetails {
  /** Pixels. */
  width: number
  height: number
  /** Of the received picture. */
  encoding: string
  /** Pixels. */
  focalLength: number
  principalPoint: { u: number; v: number }
  /** Seconds. */
  exposureTime: number
  /** Decibels. */
  gain: number
  /** Mean brightness, 0 to 1. */
  brightness: number
  noise: number
  /** Metres; only for depth. */
  baseline?: number
}

interface SetDetails {
  /** Seconds since 1970 by the device's clock. */
  timestamp: number
  /** Milliseconds since 1970 by this computer's clock. */
  receivedAt: number
  /** Sets left out since the previous one. */
  skipped: number
}

/** Exact to a microsecond; nanoseconds exceed a number. */
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

/** Metres, above zero. */
function sizeIn(value: unknown): Vector | undefined {
  const size = deviceVectorIn(value)
  return size && size.x > 0 && size.y > 0 && size.z > 0 ? size : undefined
}

/** @throws INVALID_INPUT unless it is a pose in the device's form */
export function readDevicePose(field: string, value: unknown): Pose {
  const pose = devicePoseIn(value)
  if (!pose) throw invalidInput('not-a-pose', { field })
  return pose
}

/**
 * A box as in the device's regions: size `box` and optional `pose`.
 * @param frame of the points, in the device's spelling; undefined if it has no name
 * @throws INVALID_INPUT if it is no box, or in another frame
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

/** Metres. */
interface FoundLoadCarrier {
  pose: Pose
  /** In the robot's frame instead of the camera's. */
  isExternal: boolean
  /** In its own frame. */
  inside: Box
}

/** @throws INVALID_INPUT unless it is a detected load carrier */
export function readLoadCarrier(field: string, value: unknown): FoundLoadCarrier {
  const record = isObject(value) ? value : {}
  const pose = devicePoseIn(record['pose'])
  const inner = sizeIn(record['inner_dimensions'])
  const outer = sizeIn(record['outer_dimensions']) ?? inner
  const frame = record['pose_frame']
  if (!pose || !inner || !outer || (frame !== 'camera' && frame !== 'external'))
    throw invalidInput('not-a-load-carrier', { field })
  // The pose is the outer box's; it is open at the top, so only the floor makes the inside lower.
  const centre = { x: 0, y: 0, z: (outer.z - inner.z) / 2 }
  return {
    pose,
    isExternal: frame === 'external',
    inside: { pose: { ...identity(), position: centre }, size: inner },
  }
}

export interface CloudFrame {
  /** @default the camera's own frame */
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
 * The robot's frame needs the hand-eye calibration on the device.
 * @throws INVALID_INPUT naming the field; NOT_FOUND without a calibration; errors of the call
 */
export async function cloudFrame(query: CloudFrameQuery): Promise<CloudFrame> {
  const { fields, read } = query
  const value = read('cloudRegion')
  const hasRegion = value !== undefined && value !== null && value !== ''
  const regionIn = (frame?: 'camera' | 'external') =>
    hasRegion ? { region: readRegion('cloudRegion', value, frame) } : {}

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
  const query = { pipeline, node: 'dev_hand_eye_calibration', signal }
  const saved = await new HandEyeDevice(device, query, device.deadline).savedCalibration()
  if (!saved.success) throw nodeError('NOT_FOUND', 'no-hand-eye', { device: device.client.name, pipeline })
  if (!saved.robot_mounted) return saved.pose
  const value = read('robotPose')
  if (value === undefined || value === null || value === '')
    throw invalidInput('robot-pose-needed', { field: 'robotPose' })
  return composed(readDevicePose('robotPose', value), saved.pose)
}

/**
 * The picture of a message as a data URL: drawn by *call service*, or from *acquire* or *image receive*, alone or as the left
 * one of several parts. Undefined without one.
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
