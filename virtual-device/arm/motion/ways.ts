import { composed, distance, inverted, product, type Pose } from '../../../lib/robotics/pose'
import { conjugated, ofRotationVector, rotationVectorOf } from '../../../lib/robotics/rotation'
import { jointsAt } from '../kinematics/inverse'
import type { ArmModel } from '../kinematics/models'
import { at, six, type Six } from '../kinematics/six'
import type { Way } from './travel'

/**
 * Metres that a turn of one radian counts for on a line, so that a turn on the spot takes time too. Our choice: the maker
 * does not publish it.
 */
export const metresPerRadian = 0.25

/** The tool moves in a straight line and turns evenly. @param tool in the flange's frame */
export function lineOf(model: ArmModel, from: Pose, to: Pose, tool: Pose): Way {
  const turn = rotationVectorOf(product(to.orientation, conjugated(from.orientation)))
  const angle = Math.hypot(turn.x, turn.y, turn.z)
  const length = Math.max(distance(from.position, to.position), metresPerRadian * angle)
  const off = inverted(tool)
  const between = (one: number, other: number, share: number) => one + share * (other - one)
  const share = (gone: number) => (length > 0 ? gone / length : 1)
  return {
    length,
    isLine: true,
    at: (gone, near) => {
      const part = share(gone)
      const [a, b] = [from.position, to.position]
      const turned = ofRotationVector({ x: part * turn.x, y: part * turn.y, z: part * turn.z })
      const tcp = {
        position: { x: between(a.x, b.x, part), y: between(a.y, b.y, part), z: between(a.z, b.z, part) },
        orientation: product(turned, from.orientation),
      }
      return jointsAt(model, composed(tcp, off), near)
    },
  }
}

/** All joints turn evenly and arrive at the same time; the length is that of the leading joint. */
export function jointWay(from: Six, to: Six): Way {
  const length = Math.max(...six((index) => Math.abs(at(to, index) - at(from, index))))
  return {
    length,
    isLine: false,
    at: (gone) => {
      const share = length > 0 ? gone / length : 1
      return six((index) => at(from, index) + share * (at(to, index) - at(from, index)))
    },
  }
}

/** Top speed with which a way takes that long, acceleration included. */
export function speedFor(length: number, seconds: number, acceleration: number): number {
  const root = (acceleration * seconds) ** 2 - 4 * acceleration * length
  return root <= 0 ? Math.sqrt(acceleration * length) : (acceleration * seconds - Math.sqrt(root)) / 2
}
