import type { Overlay, OverlayCamera } from '../../lib/overlay'
import { devicePoseIn } from '../../lib/robotics/pose-numbers'
import { composed, type Pose } from '../../lib/robotics/pose'
import { isObject } from '../shared/is-object'
import { loadOverlay } from '../shared/load-later'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('pictures')

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

/** The call that `calibration` stands for. */
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
