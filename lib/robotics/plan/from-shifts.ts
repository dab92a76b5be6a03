import { Matrix, SingularValueDecomposition, determinant, pseudoInverse } from 'ml-matrix'
import type { Unknowns } from '../hand-eye/station'
import { composed, inverted, product, rotated, type Quaternion, type Vector } from '../pose'
import { conjugated } from '../quaternion'
import { quaternionOf, type RotationMatrix } from '../rotation-matrix'
import { isSighting, type Attempt, type Sighting } from './attempt'

/** What three shifts of the hand show, without any turn. */
export interface ShiftResult {
  /** Whether camera or grid moves with the hand; undefined if the picture does not change as the robot moves. */
  mounting: 'robot' | 'fixed' | undefined
  /** How far the grid moved in the camera's frame for each metre of the robot: 1, unless a unit is wrong. */
  ratio: number
  /** Of the camera, in the robot's base at the taught pose. */
  orientation: Quaternion
}

/** Farther from one, or from a rotation, the shifts contradict each other. */
const tolerance = 0.3

/**
 * Reads the shifts. With the camera on the robot the grid moves against the hand in the camera's frame, with a fixed
 * camera along with it: the determinant of the movements tells the two apart by its sign.
 *
 * @returns undefined while there are fewer than three directions
 */
export function fromShifts(taught: Sighting, attempts: readonly Attempt[]): ShiftResult | undefined {
  const shifts = attempts.filter(isSighting).filter(({ purpose }) => purpose === 'shift')
  if (shifts.length < 3) return undefined
  const rows = (of: (shift: Sighting) => Vector) =>
    new Matrix(
      shifts.map((shift) => {
        const { x, y, z } = of(shift)
        return [x, y, z]
      }),
    )
  const hand = rows(({ robot }) => minus(robot.position, taught.robot.position))
  const seen = rows(({ grid }) => minus(grid.position, taught.grid.position))
  // seen = hand · map, row by row.
  const map = pseudoInverse(hand).mmul(seen)
  const volume = determinant(map)
  const ratio = Math.cbrt(Math.abs(volume))
  const { leftSingularVectors: u, rightSingularVectors: v } = new SingularValueDecomposition(map)
  const onRobot = volume < 0
  // The columns of the map are the axes of the camera in the base; against the hand on the robot.
  const nearest = u.mmul(v.transpose()).mul(onRobot ? -1 : 1)
  return {
    mounting: Math.abs(ratio - 1) > tolerance ? undefined : onRobot ? 'robot' : 'fixed',
    ratio,
    orientation: quaternionOf(nearest.to1DArray() as unknown as RotationMatrix),
  }
}

/** Camera and grid as far as shifts show them: a camera in the hand's origin, or a grid there. */
export function roughUnknowns(
  { robot, grid }: Sighting,
  { orientation }: ShiftResult,
  robotMounted: boolean,
): Unknowns {
  if (robotMounted) {
    const camera = {
      position: { x: 0, y: 0, z: 0 },
      orientation: product(conjugated(robot.orientation), orientation),
    }
    return { camera, grid: composed(composed(robot, camera), grid) }
  }
  const toGrid = rotated(grid.position, orientation)
  const camera = { position: minus(robot.position, toGrid), orientation }
  return { camera, grid: composed(inverted(robot), composed(camera, grid)) }
}

const minus = (one: Vector, other: Vector): Vector => ({
  x: one.x - other.x,
  y: one.y - other.y,
  z: one.z - other.z,
})
