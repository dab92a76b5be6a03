import type { Pose, Vector } from '../../../lib/robotics/pose'

/** The box in which the flange has been, in the base. Metres. */
export class Excursion {
  least: Vector | undefined
  most: Vector | undefined

  note({ position }: Pose): void {
    const { least = position, most = position } = this
    const each = (of: (...numbers: number[]) => number, other: Vector): Vector => ({
      x: of(position.x, other.x),
      y: of(position.y, other.y),
      z: of(position.z, other.z),
    })
    this.least = each(Math.min, least)
    this.most = each(Math.max, most)
  }
}
