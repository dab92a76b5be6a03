import { composed, identity, inverted, rotated, type Pose, type Vector } from '../../lib/robotics/pose'
import type { Bin, Scene } from './scene'
import { sum } from './vectors'

/** An opaque body. */
export interface Solid {
  shape: 'box' | 'ellipsoid'
  /** Half the edge lengths or diameters, metres. */
  half: Vector
  pose: Pose
}

/** Side of the floor, metres; large enough for every scene. */
const floorSide = 50
/** Thickness of the floor, metres. */
const floorDepth = 0.01

/** All bodies of a scene, including the floor. */
export const solidsOf = ({ floor, bin, items }: Scene): Solid[] => [
  box(floor, { x: 0, y: 0, z: -floorDepth / 2 }, { x: floorSide, y: floorSide, z: floorDepth }),
  ...(bin ? wallsOf(bin) : []),
  ...items.map(({ curved, size, pose }) => ({
    shape: curved ? ('ellipsoid' as const) : ('box' as const),
    half: { x: size.x / 2, y: size.y / 2, z: size.z / 2 },
    pose,
  })),
]

/** @param open height of the wall at negative y, metres, if it is lower than the others */
export function wallsOf({ inner, outer, pose }: Bin, open = outer.z): Solid[] {
  const wall = { x: (outer.x - inner.x) / 2, y: (outer.y - inner.y) / 2 }
  const across = (inner.x + wall.x) / 2
  const along = (inner.y + wall.y) / 2
  return [
    box(pose, { x: across, y: 0, z: 0 }, { x: wall.x, y: outer.y, z: outer.z }),
    box(pose, { x: -across, y: 0, z: 0 }, { x: wall.x, y: outer.y, z: outer.z }),
    box(pose, { x: 0, y: along, z: 0 }, { x: outer.x, y: wall.y, z: outer.z }),
    box(pose, { x: 0, y: -along, z: (open - outer.z) / 2 }, { x: outer.x, y: wall.y, z: open }),
    bottomOf({ inner, outer, pose }),
  ]
}

export const bottomOf = ({ inner, outer, pose }: Bin): Solid =>
  box(pose, { x: 0, y: 0, z: -inner.z / 2 }, { x: outer.x, y: outer.y, z: outer.z - inner.z })

function box(frame: Pose, middle: Vector, { x, y, z }: Vector): Solid {
  const pose = composed(frame, { position: middle, orientation: identity().orientation })
  return { shape: 'box', half: { x: x / 2, y: y / 2, z: z / 2 }, pose }
}

/**
 * Returns how far light travels from a point in a direction, in lengths of the direction; Infinity if nothing stops it.
 */
export function caster(solids: readonly Solid[]): (from: Vector, direction: Vector) => number {
  const placed = solids.map((solid) => ({ ...solid, toSolid: inverted(solid.pose) }))
  return (from, direction) =>
    placed.reduce((nearest, { shape, half, toSolid }) => {
      const start = sum(toSolid.position, rotated(from, toSolid.orientation))
      const way = rotated(direction, toSolid.orientation)
      return Math.min(nearest, (shape === 'box' ? toBox : toEllipsoid)(start, way, half))
    }, Infinity)
}

function toBox(from: Vector, way: Vector, half: Vector): number {
  let [enters, leaves] = [-Infinity, Infinity]
  for (const axis of ['x', 'y', 'z'] as const) {
    // Along a face, the division by 0 gives infinity, which is correct here.
    const one = (-half[axis] - from[axis]) / way[axis]
    const other = (half[axis] - from[axis]) / way[axis]
    enters = Math.max(enters, Math.min(one, other))
    leaves = Math.min(leaves, Math.max(one, other))
  }
  return enters <= leaves && enters > 0 ? enters : Infinity
}

function toEllipsoid(from: Vector, way: Vector, half: Vector): number {
  // In units of half its diameters, an ellipsoid is a sphere.
  const [f, w] = [from, way].map((each) => ({ x: each.x / half.x, y: each.y / half.y, z: each.z / half.z }))
  if (!f || !w) return Infinity
  const a = w.x * w.x + w.y * w.y + w.z * w.z
  const b = f.x * w.x + f.y * w.y + f.z * w.z
  const c = f.x * f.x + f.y * f.y + f.z * f.z - 1
  const root = b * b - a * c
  const distance = (-b - Math.sqrt(root)) / a
  return root >= 0 && distance > 0 ? distance : Infinity
}
