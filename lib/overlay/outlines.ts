import { composed, identity, type Pose, type Vector } from '../robotics/pose'
import { pixelOf, type OverlayCamera, type Pixel } from './camera'
import type { FoundKind, FoundThing } from './found'

/** One thing as it is drawn. */
export interface Figure {
  kind: FoundKind | 'grid' | 'region'
  name: string
  /** Open lines and closed outlines, pixels. */
  lines: { points: Pixel[]; isClosed: boolean }[]
  /** Where its name stands. */
  label: Pixel
}

/** Lengths of the marks of a grasp and of a frame, metres. */
const marks = { cross: 0.012, approach: 0.05, axis: 0.03 }

/** The outline of a thing in the picture; undefined if a part of it is beside or behind the camera. */
export function figureOf(
  thing: FoundThing,
  /** In the camera frame. */
  pose: Pose,
  camera: OverlayCamera,
): Figure | undefined {
  const at = (x: number, y: number, z = 0): Vector =>
    composed(pose, { position: { x, y, z }, orientation: identity().orientation }).position
  const drawn = solidOf(thing, at).map(({ points, isClosed }) => ({
    isClosed,
    points: points.map((point) => pixelOf(camera, point)),
  }))
  const label = pixelOf(camera, pose.position)
  if (!label || drawn.some(({ points }) => points.includes(undefined))) return undefined
  return { kind: thing.kind, name: thing.name, label, lines: drawn as Figure['lines'] }
}

interface Line {
  points: Vector[]
  isClosed: boolean
}

type At = (x: number, y: number, z?: number) => Vector
const closed = (...points: Vector[]): Line => ({ points, isClosed: true })
const open = (...points: Vector[]): Line => ({ points, isClosed: false })

function rectangle(at: At, width: number, height: number, z = 0): Line {
  const [x, y] = [width / 2, height / 2]
  return closed(at(-x, -y, z), at(x, -y, z), at(x, y, z), at(-x, y, z))
}

function solidOf(thing: FoundThing, at: At): Line[] {
  switch (thing.kind) {
    case 'loadCarrier': {
      const { outer, inner } = thing
      const top = outer.z / 2
      return [
        rectangle(at, outer.x, outer.y, top),
        rectangle(at, inner.x, inner.y, top),
        rectangle(at, inner.x, inner.y, top - inner.z),
      ]
    }
    case 'item':
      return [rectangle(at, thing.x, thing.y)]
    case 'tag':
      // Where its x axis points, a tag is upright.
      return [rectangle(at, thing.size, thing.size), open(at(0, 0), at(thing.size / 2, 0))]
    case 'grasp': {
      const { cross, approach } = marks
      // The gripper comes along z.
      return [
        open(at(-cross, 0), at(cross, 0)),
        open(at(0, -cross), at(0, cross)),
        open(at(0, 0, -approach), at(0, 0)),
      ]
    }
    case 'object': {
      const { axis } = marks
      return [
        open(at(0, 0), at(axis, 0)),
        open(at(0, 0), at(0, axis)),
        open(at(0, 0), at(0, 0, axis)),
        rectangle(at, axis / 2, axis / 2),
      ]
    }
  }
}
