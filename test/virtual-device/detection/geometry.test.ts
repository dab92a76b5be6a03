import 'should'
import { composed, inverted, type Pose, type Vector, ofRotationVector } from '../../../lib/robotics/pose'
import { boxesTouch, turnedBox } from '../../../virtual-device/detection/collisions'
import {
  pointIn,
  deviation,
  measured,
  angleBetween,
  axisOf,
  dot,
  seenFrom,
} from '../../../virtual-device/detection/geometry'
import { planeFrom, planeOf } from '../../../virtual-device/modules/silhouettematch'
import { caster, type Solid } from '../../../virtual-device/detection/scene'
import { seededRandom } from '../../../virtual-device/values'

const random = seededRandom(11)
const number = (scale: number) => scale * (2 * random() - 1)
const vector = (scale: number): Vector => ({ x: number(scale), y: number(scale), z: number(scale) })
const positive = (scale: number): Vector => ({
  x: 0.05 + scale * random(),
  y: 0.05 + scale * random(),
  z: 0.05 + scale * random(),
})
const pose = (scale: number): Pose => ({ position: vector(scale), orientation: ofRotationVector(vector(3)) })
const isInside = ({ half, pose: frame }: Solid, point: Vector): boolean => {
  const { x, y, z } = seenFrom(frame, point)
  return Math.abs(x) <= half.x && Math.abs(y) <= half.y && Math.abs(z) <= half.z
}
const box = (): Solid => ({ shape: 'box', half: positive(0.4), pose: pose(0.6) })

describe('the geometry of detection', () => {
  it('finds boxes that touch, in either order', () => {
    let touching = 0
    for (let round = 0; round < 500; round += 1) {
      const [one, other] = [box(), box()]
      const touch = boxesTouch(turnedBox(one), turnedBox(other))
      boxesTouch(turnedBox(other), turnedBox(one)).should.equal(touch)
      const points = Array.from({ length: 200 }, () => {
        const { half, pose: frame } = one
        return pointIn(frame, { x: number(half.x), y: number(half.y), z: number(half.z) })
      })
      if (points.some((point) => isInside(other, point))) touch.should.be.true()
      if (touch) touching += 1
    }
    touching.should.be.within(50, 450)
  })

  it('distinguishes boxes that are separated only along their edges', () => {
    const quarter = ofRotationVector({ x: 0, y: 0, z: Math.PI / 4 })
    const half = { x: 1, y: 1, z: 1 }
    const at = (x: number, y: number, orientation = quarter) =>
      turnedBox({ half, pose: { position: { x, y, z: 0 }, orientation } })
    const straight = at(0, 0, ofRotationVector({ x: 0, y: 0, z: 0 }))
    boxesTouch(straight, at(2.4, 0)).should.be.true()
    boxesTouch(straight, at(2.42, 0)).should.be.false()
    boxesTouch(straight, at(1.75, 1.75)).should.be.false()
  })

  it('casts rays to the surface of boxes and ellipsoids, and past them', () => {
    let hits = 0
    for (let round = 0; round < 500; round += 1) {
      const shape = round % 2 ? ('box' as const) : ('ellipsoid' as const)
      const solid: Solid = { shape, half: positive(0.4), pose: pose(0.4) }
      const cast = caster([solid])
      const from = { x: 0, y: 0, z: -3 }
      const direction = { x: number(0.2), y: number(0.2), z: 1 }
      const way = cast(from, direction)
      if (way === Infinity) {
        const steps = Array.from({ length: 100 }, (_, step) => step * 0.06)
        const inside = steps.some((step) => {
          const point = { x: direction.x * step, y: direction.y * step, z: step - 3 }
          return shape === 'box' && isInside({ ...solid, half: scaledDown(solid.half) }, point)
        })
        inside.should.be.false()
        continue
      }
      hits += 1
      const { x, y, z } = seenFrom(solid.pose, { x: direction.x * way, y: direction.y * way, z: way - 3 })
      const { half } = solid
      if (shape === 'box')
        Math.max(Math.abs(x) / half.x, Math.abs(y) / half.y, Math.abs(z) / half.z).should.be.approximately(
          1,
          1e-9,
        )
      else Math.hypot(x / half.x, y / half.y, z / half.z).should.be.approximately(1, 1e-9)
    }
    hits.should.be.above(50)
  })

  it('sees nothing behind the camera', () => {
    const solid: Solid = {
      shape: 'box',
      half: { x: 1, y: 1, z: 1 },
      pose: { ...pose(0), position: { x: 0, y: 0, z: -5 } },
    }
    caster([solid])({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 1 }).should.equal(Infinity)
  })

  it('transforms planes from one frame to the other', () => {
    for (let round = 0; round < 100; round += 1) {
      const [surface, frame] = [pose(2), pose(2)]
      const plane = planeOf(surface)
      plane.distance.should.be.aboveOrEqual(0)
      const there = planeFrom(frame, plane)
      const point = pointIn(composed(frame, surface), { x: 0.3, y: -0.7, z: 0 })
      dot(there.normal, point).should.be.approximately(there.distance, 1e-9)
      const back = planeFrom(inverted(frame), there)
      back.distance.should.be.approximately(plane.distance, 1e-9)
    }
  })

  it('measures with the requested noise, and never far off', () => {
    const draws = Array.from({ length: 20_000 }, () => deviation(random, 2))
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
    const variance = draws.reduce((sum, draw) => sum + draw * draw, 0) / draws.length
    mean.should.be.approximately(0, 0.05)
    Math.sqrt(variance).should.be.approximately(2, 0.05)
    Math.max(...draws.map(Math.abs)).should.be.belowOrEqual(6)
    const truth = pose(1)
    const seen = measured(truth, random, 0.001)
    angleBetween(axisOf(seen, 'z'), axisOf(truth, 'z')).should.be.below(0.03)
  })
})

const scaledDown = ({ x, y, z }: Vector): Vector => ({ x: x * 0.9, y: y * 0.9, z: z * 0.9 })
