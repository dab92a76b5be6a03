import type { Overlay, OverlayCamera } from '../../../lib/overlay'
import { composed, type Pose } from '../../../lib/robotics/pose'
import { normalized } from '../../../lib/robotics/quaternion'
import type { Device } from '../../device/device'
import { jsonBody } from '../../shared/admin/json-body'
import type { AdminCall } from '../../shared/admin/answering'
import { isObject } from '../../shared/is-object'
import { invalidInput } from '../../shared/sentences'
import { loadOverlay } from './load-later'

/** What a service has found, drawn for a picture. */
export interface DrawnOverlay extends Pick<Overlay, 'svg' | 'found'> {
  /** Number of things outside the picture. */
  outside: number
  /** Number of things in the external frame that could not be drawn, and why. */
  external: number
  why?: 'noCalibration' | 'noRobotPose'
}

/**
 * Draws the answer of a detection service over a picture of the left camera: `{ pipeline, answer, args, camera, title }`.
 * What is given in the external frame needs the hand-eye calibration that is saved on the device, which is read, and for
 * a camera on the robot the `robot_pose` of the arguments.
 * @throws INVALID_INPUT naming what cannot be used; errors of reading the calibration
 */
export async function overlayFor(device: Device, { request, signal }: AdminCall): Promise<DrawnOverlay> {
  const { pipeline, answer, args, camera, title } = jsonBody(request)
  const { overlayOf, foundIn } = loadOverlay()
  const isExternal = foundIn(answer).things.some(({ frame }) => frame === 'external')
  const place = typeof pipeline === 'string' && pipeline !== '' ? pipeline : '0'
  const known = isExternal ? await cameraIn(device, place, args, signal) : {}
  try {
    const options = { camera: known.pose, title: typeof title === 'string' ? title : '' }
    const { svg, found, notDrawn } = overlayOf(answer, cameraOf(camera), options)
    return { svg, found, ...notDrawn, ...(known.why && { why: known.why }) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalidInput('wrong-type', { field: 'camera', expected: 'camera', value: JSON.stringify(camera) })
  }
}

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
async function cameraIn(
  { inspection }: Device,
  pipeline: string,
  args: unknown,
  signal: AbortSignal,
): Promise<{ pose?: Pose; why?: DrawnOverlay['why'] }> {
  const call = { pipeline, node: 'dev_hand_eye_calibration', service: 'get_calibration', args: {} }
  const answer = (await inspection.ask('callService', call, { signal })) as { response?: unknown }
  const saved = answer.response
  const camera = isObject(saved) && saved['success'] === true ? poseIn(saved['pose']) : undefined
  if (!camera || !isObject(saved)) return { why: 'noCalibration' }
  if (saved['robot_mounted'] !== true) return { pose: camera }
  const robot = isObject(args) ? poseIn(args['robot_pose']) : undefined
  return robot ? { pose: composed(robot, camera) } : { why: 'noRobotPose' }
}

function poseIn(given: unknown): Pose | undefined {
  const { position, orientation } = isObject(given) ? given : {}
  if (!isObject(position) || !isObject(orientation)) return undefined
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => Number(position[axis])) as [number, number, number]
  const [a, b, c, w] = ['x', 'y', 'z', 'w'].map((axis) => Number(orientation[axis])) as [
    number,
    number,
    number,
    number,
  ]
  const length = Math.hypot(a, b, c, w)
  if (!Number.isFinite(x + y + z) || !(length > 0.5)) return undefined
  return { position: { x, y, z }, orientation: normalized({ w, x: a, y: b, z: c }) }
}
