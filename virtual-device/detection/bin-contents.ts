import type { Vector } from '../../lib/robotics/pose'

/** An item on the floor of a bin. Metres and radians, in a frame at the centre of the floor, z up. */
interface LyingItem {
  curved: boolean
  size: Vector
  /** Of its centre. */
  position: Vector
  /** About the vertical. */
  yaw: number
  /** About a horizontal axis in the direction `tiltAxis`. */
  tilt: number
  tiltAxis: number
  /** Whether nothing lies on it. */
  top: boolean
}

/** Usual space for one item. */
const room = { x: 0.14, y: 0.12 }
/** Gap between two items, and to the wall. */
const gap = 0.004
const largestYaw = (10 * Math.PI) / 180
const largestTilt = (2 * Math.PI) / 180
/** Every third of the items on top is curved. */
const curvedEvery = 3

/** Items in rows, side by side and stacked, without intersecting each other or a wall. */
export function binContents(random: () => number, inner: Vector, count: number): LyingItem[] {
  const columns = Math.max(1, Math.round(inner.x / room.x))
  const rows = Math.max(1, Math.round(inner.y / room.y))
  const cell = { x: inner.x / columns, y: inner.y / rows }
  const stacks = shuffled(random, columns * rows).map((place) => ({
    x: ((place % columns) + 0.5) * cell.x - inner.x / 2,
    y: (Math.floor(place / columns) + 0.5) * cell.y - inner.y / 2,
    height: 0,
    layers: 0,
  }))
  const topFrom = count - stacks.length

  return Array.from({ length: count }, (_, index) => {
    const stack = stacks[index % stacks.length] as (typeof stacks)[number]
    const yaw = largestYaw * (2 * random() - 1)
    const tilt = largestTilt * random()
    const size = itemSize(random, cell, yaw, 0.85 ** stack.layers)
    const lift = ((size.x + size.y) / 2) * Math.sin(tilt)
    const position = { x: stack.x, y: stack.y, z: stack.height + lift + size.z / 2 }
    stack.height = position.z + size.z / 2 + lift
    stack.layers += 1
    const top = index >= topFrom
    return {
      curved: top && index % curvedEvery === 2,
      size,
      position,
      yaw,
      tilt,
      tiltAxis: 2 * Math.PI * random(),
      top,
    }
  })
}

function itemSize(random: () => number, cell: { x: number; y: number }, yaw: number, scale: number): Vector {
  const share = () => 0.65 + 0.25 * random()
  const wanted = { x: cell.x * share() * scale, y: cell.y * share() * scale }
  const [cos, sin] = [Math.cos(yaw), Math.abs(Math.sin(yaw))]
  const shrink = Math.min(
    1,
    (cell.x - 2 * gap) / (wanted.x * cos + wanted.y * sin),
    (cell.y - 2 * gap) / (wanted.x * sin + wanted.y * cos),
  )
  return { x: wanted.x * shrink, y: wanted.y * shrink, z: 0.035 + 0.03 * random() }
}

/** The numbers below `count` in random order. */
function shuffled(random: () => number, count: number): number[] {
  const drawn = Array.from({ length: count }, (_, index) => ({ index, key: random() }))
  return drawn.sort((one, other) => one.key - other.key).map(({ index }) => index)
}
