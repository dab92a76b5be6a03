import { inverted, rotated, type Pose, type Vector } from '../../../lib/robotics/pose'
import type { Lens } from './lens'

/** An eye of the camera: its distance to the right of the left one, metres. */
export type Eye = number

/** A thing as an eye sees it: where the eye is in the thing's frame, and where the image's axes point there. */
export interface Placed {
  from: Vector
  /** Change of a ray, one metre ahead, by one metre to the right, down, ahead. */
  right: Vector
  down: Vector
  ahead: Vector
}

export function placed(pose: Pose, eye: Eye): Placed {
  const { position, orientation } = inverted(pose)
  const along = (x: number, y: number, z: number) => rotated({ x, y, z }, orientation)
  const start = along(eye, 0, 0)
  return {
    from: { x: start.x + position.x, y: start.y + position.y, z: start.z + position.z },
    right: along(1, 0, 0),
    down: along(0, 1, 0),
    ahead: along(0, 0, 1),
  }
}

/** A rectangle of pixels; the ends are not part of it. */
export interface Window {
  left: number
  right: number
  top: number
  bottom: number
}

/** Points nearer than this have no useful projection, metres. */
const nearest = 0.02

/** The pixels that the corners enclose; all if one of them is beside or behind the camera. */
export function windowOf(corners: readonly Vector[], eye: Eye, lens: Lens): Window {
  const whole = { left: 0, right: lens.width, top: 0, bottom: lens.height }
  if (corners.some(({ z }) => z < nearest)) return whole
  const columns = corners.map(({ x, z }) => lens.u + (lens.focal * (x - eye)) / z)
  const rows = corners.map(({ y, z }) => lens.v + (lens.focal * y) / z)
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
  return {
    left: within(Math.floor(Math.min(...columns)) - 1, lens.width),
    right: within(Math.ceil(Math.max(...columns)) + 2, lens.width),
    top: within(Math.floor(Math.min(...rows)) - 1, lens.height),
    bottom: within(Math.ceil(Math.max(...rows)) + 2, lens.height),
  }
}

/** The corners of a box around the frame with that pose. */
export const cornersOfBox = ({ position, orientation }: Pose, half: Vector): Vector[] =>
  [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) =>
      [-1, 1].map((z) => {
        const corner = rotated({ x: x * half.x, y: y * half.y, z: z * half.z }, orientation)
        return { x: corner.x + position.x, y: corner.y + position.y, z: corner.z + position.z }
      }),
    ),
  )
