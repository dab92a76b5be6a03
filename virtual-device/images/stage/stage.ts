import type { Pose, Vector } from '../../../lib/robotics/pose'

/** A body in front of a camera. Metres; poses in the camera's frame. */
export interface Body {
  shape: 'box' | 'ellipsoid'
  /** Half the edge lengths or diameters. */
  half: Vector
  pose: Pose
  /** Share of the light that it reflects, 0 to 1. */
  albedo: number
}

/** A printed rectangle on a body: x to its right, y down, z into it. */
export interface Print {
  /** Of its centre. */
  pose: Pose
  width: number
  height: number
  columns: number
  rows: number
  /** Albedo of each field, row by row, 0 to 1. */
  fields: readonly number[]
}

/** Everything that a camera sees, as plain data that a thread can be given. */
export interface Stage {
  bodies: readonly Body[]
  prints: readonly Print[]
}
