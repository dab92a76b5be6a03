import { type Pose, product, conjugated, ofRotationVector, rotationVectorOf } from '../../lib/robotics/pose'

interface Waypoint {
  /** Seconds of the clock. */
  at: number
  pose: Pose
}

/** Seconds in which each cycle is kept; before that, waypoints this far apart, and as many of them. */
const recent = 2

const apart = 0.02

const most = 30_000

/** Between two that are farther apart in time the arm stood still, or moves on at a constant rate. */
const standing = 0.05

/** Where the flange was in the last ten minutes of its motion, by the clock of the device. */
export class Track {
  #points: Waypoint[] = []
  /** Before this index, waypoints are thinned out already. */
  #thinned = 0

  /** @param pose at present */
  constructor(at: number, pose: Pose) {
    this.#points.push({ at, pose })
  }

  /**
   * The flange has come to a pose.
   *
   * @param at seconds of the clock @param cycle in which it moved, seconds
   */
  note(at: number, pose: Pose, cycle: number): void {
    // A clock that was set back.
    while ((this.#points.at(-1)?.at ?? -Infinity) >= at) this.#points.pop()
    this.#thinned = Math.min(this.#thinned, this.#points.length)
    const last = this.#points.at(-1)
    if (last && at - last.at > 1.5 * cycle) this.#points.push({ at: at - cycle, pose: last.pose })
    this.#points.push({ at, pose })
    if (this.#points.length - this.#thinned > (2 * recent) / cycle) this.#thin(at - recent)
  }

  /** Where the flange was: between two waypoints in proportion, before all of them at the first one. */
  at(seconds: number): Pose {
    let [first, end] = [0, this.#points.length]
    // The first one that is later.
    while (first < end) {
      const middle = (first + end) >> 1
      if ((this.#points[middle]?.at ?? Infinity) > seconds) end = middle
      else first = middle + 1
    }
    const [before, after] = [this.#points[first - 1], this.#points[first]]
    if (!before || !after) return (before ?? after ?? this.#last).pose
    return between(before.pose, after.pose, (seconds - before.at) / (after.at - before.at))
  }

  get #last(): Waypoint {
    const last = this.#points.at(-1)
    if (!last) throw new Error('A track has at least one waypoint.')
    return last
  }

  /** Leaves out what is older and close to its neighbours. */
  #thin(before: number): void {
    const kept = this.#points.slice(0, this.#thinned)
    let index = this.#thinned
    for (; index < this.#points.length; index++) {
      const [point, next] = [this.#points[index], this.#points[index + 1]]
      if (!point || !next || point.at >= before) break
      const last = kept.at(-1)
      if (!last || point.at - last.at >= apart || next.at - point.at > standing) kept.push(point)
    }
    const dropped = Math.max(0, kept.length - most)
    this.#thinned = kept.length - dropped
    this.#points = [...kept.slice(dropped), ...this.#points.slice(index)]
  }
}

function between(one: Pose, other: Pose, share: number): Pose {
  const turn = rotationVectorOf(product(conjugated(one.orientation), other.orientation))
  const along = (axis: 'x' | 'y' | 'z') =>
    one.position[axis] + share * (other.position[axis] - one.position[axis])
  return {
    position: { x: along('x'), y: along('y'), z: along('z') },
    orientation: product(
      one.orientation,
      ofRotationVector({ x: share * turn.x, y: share * turn.y, z: share * turn.z }),
    ),
  }
}
