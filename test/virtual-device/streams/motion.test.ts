import 'should'
import { product, rotated, type Vector, conjugated } from '../../../lib/robotics/pose'
import { motionInWorld, forceFelt, gravity, motionAt, lap } from '../../../virtual-device/motion'

const start = 1_700_000_000
/** Every 37 ms of a lap: moving, at rest, and in transition. */
const moments = Array.from({ length: Math.ceil(lap / 0.037) }, (_, index) => start + index * 0.037)
const step = 1e-3

const difference = (one: Vector, other: Vector): Vector => ({
  x: one.x - other.x,
  y: one.y - other.y,
  z: one.z - other.z,
})
const length = ({ x, y, z }: Vector) => Math.hypot(x, y, z)
const distance = (one: Vector, other: Vector) => length(difference(one, other))
const slope = (value: (seconds: number) => Vector, seconds: number): Vector => {
  const { x, y, z } = difference(value(seconds + step), value(seconds - step))
  return { x: x / step / 2, y: y / step / 2, z: z / step / 2 }
}

describe('the motion of the device', () => {
  it('ends each lap where it began', () => {
    for (const seconds of moments) {
      const [one, other] = [motionAt(seconds), motionAt(seconds + 3 * lap)]
      distance(one.pose.position, other.pose.position).should.be.below(1e-6)
      distance(one.acceleration, other.acceleration).should.be.below(1e-5)
    }
  })

  it('has a velocity and an acceleration that are the derivatives of its position', () => {
    for (const seconds of moments) {
      const { velocity, acceleration } = motionAt(seconds)
      const ofPosition = slope((at) => motionAt(at).pose.position, seconds)
      distance(velocity, ofPosition).should.be.below(1e-3)
      const ofVelocity = slope((at) => motionAt(at).velocity, seconds)
      distance(acceleration, ofVelocity).should.be.below(2e-3)
    }
  })

  it('has an angular velocity that is the derivative of its orientation, about its own axes', () => {
    for (const seconds of moments) {
      const [before, after] = [motionAt(seconds - step), motionAt(seconds + step)]
      const turn = product(conjugated(before.pose.orientation), after.pose.orientation)
      const rates = { x: turn.x / step, y: turn.y / step, z: turn.z / step }
      distance(motionAt(seconds).angularVelocity, rates).should.be.below(2e-3)
    }
  })

  it('rests at its stops, and moves between them like something that is carried', () => {
    const speeds = moments.map((seconds) => length(motionAt(seconds).velocity))
    const resting = speeds.filter((speed) => speed < 1e-3).length / speeds.length
    resting.should.be.within(0.15, 0.35)
    Math.max(...speeds).should.be.within(0.1, 1)
    Math.max(...moments.map((seconds) => length(motionAt(seconds).acceleration))).should.be.within(0.2, 2)
  })

  it('measures only the reaction to gravity at rest, in its own frame', () => {
    const atRest = motionAt(start + lap / 2 - 0.1)
    const up = rotated(forceFelt(atRest), atRest.pose.orientation)
    distance(up, { x: 0, y: 0, z: gravity }).should.be.below(1e-9)
  })

  it('is relative to where the estimation began: level, with x ahead', () => {
    for (const began of [start, start + 1.1, start + 6.4]) {
      const { pose } = motionInWorld(motionAt, began, began)
      length(pose.position).should.be.below(1e-9)
      const ahead = rotated({ x: 1, y: 0, z: 0 }, pose.orientation)
      ahead.y.should.be.approximately(0, 1e-9)
      ahead.x.should.be.above(0.9)
      const up = (orientation: typeof pose.orientation) => rotated({ x: 0, y: 0, z: 1 }, orientation).z
      const inWorld = up(motionInWorld(motionAt, began + 4, began).pose.orientation)
      inWorld.should.be.approximately(up(motionAt(began + 4).pose.orientation), 1e-9)
    }
  })
})
