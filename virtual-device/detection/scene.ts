import {
  composed,
  distance,
  identity,
  inverted,
  type Pose,
  product,
  rotated,
  type Vector,
  angleOf,
  conjugated,
  ofRotationVector,
} from '../../lib/robotics/pose'
import { type Static, Type, Value } from '../../lib/typebox'
import type { Environment } from '../module'
import { carriedCameraOf } from '../motion'
import { seededRandom } from '../values'
import { measured, sum } from './geometry'
import type { Sortable } from './grasps'

/** A load carrier on the floor. Its frame is at the centre of the outer box, z out of the floor. */
export interface Bin {
  inner: Vector
  outer: Vector
  pose: Pose
}

export interface Item {
  curved: boolean
  /** Edge lengths, or diameters of an ellipsoid. */
  size: Vector
  /** Pose of its centre, z up. */
  pose: Pose
  /** Whether nothing lies on it. */
  top: boolean
  /** Quality of its match, 0 to 1. */
  score: number
  /** Measured share of its surface. */
  coverage: number
}

export interface Tag {
  kind: 'april' | 'qr'
  id: string
  /** Edge length. */
  size: number
  inverted: boolean
  /** Pose of its centre: x to its right, y down, z into it. */
  pose: Pose
}

/** What is in front of the camera of a pipeline. Poses in the camera's frame; metres. */
export interface Scene {
  settings: SceneSettings
  /** z up. */
  floor: Pose
  bin: Bin | undefined
  items: readonly Item[]
  tags: readonly Tag[]
}

const radian = Math.PI / 180
const defaultTagSize = { april: 0.05, qr: 0.08 }

/**
 * The scene of a pipeline according to the present scenario; identical for the same seed. It stands still in the cell: a
 * camera that a robot arm carries sees it from elsewhere.
 */
export function sceneSource({ random, scenario, module, clock }: Environment): () => Scene {
  const seed = Math.floor(random() * 2 ** 32)
  let made: { from: unknown; scene: Scene } | undefined
  let moved: { of: Scene; camera: Pose; scene: Scene } | undefined
  return () => {
    const { detection } = scenario().scene
    if (made?.from !== detection || !made)
      made = { from: detection, scene: sceneOf({ ...Value.Create(SceneSettings), ...detection }, seed) }
    const { scene } = made
    const carried = carriedCameraOf(module('hand_eye_calibration'))
    const camera = carried?.at(clock.now())
    if (!carried || !camera || isSame(camera, carried.start)) return scene
    if (moved?.of !== scene || !isSame(moved.camera, camera))
      moved = { of: scene, camera, scene: seenFrom(scene, composed(inverted(camera), carried.start)) }
    return moved.scene
  }
}

/** To a thousandth of a millimetre and of a milliradian. */
const isSame = (one: Pose, other: Pose): boolean =>
  distance(one.position, other.position) < 1e-6 &&
  angleOf(product(conjugated(one.orientation), other.orientation)) < 1e-6

export function sceneOf(settings: SceneSettings, seed: number): Scene {
  const random = seededRandom(seed)
  const { distance, tilt, outer_dimensions: outer, items, load_carrier } = settings
  const floor: Pose = {
    position: { x: 0, y: 0, z: distance },
    orientation: product(
      turned(tilt * radian, random() * 2 * Math.PI),
      ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
    ),
  }
  const standing = composed(floor, {
    position: { x: 0.05 * (random() - 0.5), y: 0.05 * (random() - 0.5), z: outer.z / 2 },
    orientation: ofRotationVector({ x: 0, y: 0, z: 20 * radian * (random() - 0.5) }),
  })
  const inner = within(settings.inner_dimensions, outer)
  const ground = at(standing, { x: 0, y: 0, z: outer.z / 2 - (load_carrier ? inner.z : outer.z) })
  return {
    settings,
    floor,
    bin: load_carrier ? { inner, outer, pose: standing } : undefined,
    items: binContents(random, inner, items).map(({ position, yaw, tilt: tip, tiltAxis, ...item }) => ({
      ...item,
      pose: composed(ground, {
        position,
        orientation: product(turned(tip, tiltAxis), ofRotationVector({ x: 0, y: 0, z: yaw })),
      }),
      score: 0.6 + 0.38 * random(),
      coverage: 0.8 + 0.18 * random(),
    })),
    tags: tagsOn(floor, settings, random),
  }
}

/** Tags lie around the load carrier. */
function tagsOn(
  floor: Pose,
  { april_tags, qr_codes, outer_dimensions }: SceneSettings,
  random: () => number,
): Tag[] {
  const far = Math.max(0.5, outer_dimensions.x / 2 + 0.2)
  const near = Math.max(0.38, outer_dimensions.y / 2 + 0.18)
  const places = [
    ...[-0.3, 0, 0.3].flatMap((y) => [
      { x: -far, y },
      { x: far, y },
    ]),
    ...[-0.25, 0, 0.25].flatMap((x) => [
      { x, y: near },
      { x, y: -near },
    ]),
  ]
  const all = [
    ...april_tags.map((tag) => ({ ...tag, kind: 'april' as const })),
    ...qr_codes.map((tag) => ({ ...tag, kind: 'qr' as const })),
  ]
  return places.slice(0, all.length).flatMap((place, index) => {
    const tag = all[index]
    if (!tag) return []
    const facing = ofRotationVector({ x: Math.PI, y: 0, z: 0 })
    const yaw = ofRotationVector({ x: 0, y: 0, z: 30 * radian * (random() - 0.5) })
    return [
      {
        kind: tag.kind,
        id: tag.id,
        size: tag.size ?? defaultTagSize[tag.kind],
        inverted: tag.inverted ?? false,
        pose: composed(floor, { position: { ...place, z: 0 }, orientation: product(yaw, facing) }),
      },
    ]
  })
}

/** A wall cannot have negative thickness. */
const within = (inner: Vector, outer: Vector): Vector => ({
  x: Math.min(inner.x, outer.x - 0.002),
  y: Math.min(inner.y, outer.y - 0.002),
  z: Math.min(inner.z, outer.z - 0.001),
})

/** The frame moved along its own axes. */
const at = (frame: Pose, position: Vector): Pose =>
  composed(frame, { position, orientation: identity().orientation })

/** A rotation about an axis in the xy plane. */
const turned = (angle: number, direction: number) =>
  ofRotationVector({ x: angle * Math.cos(direction), y: angle * Math.sin(direction), z: 0 })

interface Placed {
  pose: Pose
}

/** Things in the frame of a camera. */
interface Things {
  floor: Pose
  bin: Placed | undefined
  items: readonly Placed[]
  tags: readonly Placed[]
}

/**
 * A scene that stands still, for a camera that has moved.
 *
 * @param before the camera for which the scene was made, in its own frame of now
 */
function seenFrom<Scene extends Things>(scene: Scene, before: Pose): Scene {
  const seen = <Thing extends Placed>(thing: Thing): Thing => ({
    ...thing,
    pose: composed(before, thing.pose),
  })
  return {
    ...scene,
    floor: composed(before, scene.floor),
    bin: scene.bin && seen(scene.bin),
    items: scene.items.map(seen),
    tags: scene.tags.map(seen),
  }
}

const dimensions = (x: number, y: number, z: number) =>
  Type.Object(
    {
      x: Type.Number({ minimum: 0.05, maximum: 2 }),
      y: Type.Number({ minimum: 0.05, maximum: 2 }),
      z: Type.Number({ minimum: 0.02, maximum: 2 }),
    },
    { default: { x, y, z }, additionalProperties: false },
  )

const SceneSettingsTag = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200 }),
    /** Edge length. */
    size: Type.Optional(Type.Number({ minimum: 0.01, maximum: 0.5 })),
    /** White on black. */
    inverted: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
type SceneSettingsTag = Static<typeof SceneSettingsTag>
/** Room around the load carrier limits their number. */
const tags = (most: number, byDefault: SceneSettingsTag[]) =>
  Type.Array(SceneSettingsTag, { default: byDefault, maxItems: most })

/** What is in front of the camera for the detection modules. All lengths in metres. */
export const SceneSettings = Type.Object(
  {
    /** From the camera to the floor, along its axis. */
    distance: Type.Number({ default: 1.2, minimum: 0.5, maximum: 5 }),
    /** Tilt of the floor against the image plane, degrees. */
    tilt: Type.Number({ default: 3, minimum: 0, maximum: 30 }),
    /** Whether there is one; otherwise the items lie on the floor. */
    load_carrier: Type.Boolean({ default: true }),
    outer_dimensions: dimensions(0.6, 0.4, 0.2),
    inner_dimensions: dimensions(0.56, 0.36, 0.19),
    items: Type.Integer({ default: 18, minimum: 0, maximum: 100 }),
    april_tags: tags(8, [
      { id: '36h11_0' },
      { id: '36h11_1' },
      { id: '36h11_2' },
      { id: '36h11_3' },
      { id: '25h9_7' },
      { id: '36h11_4', inverted: true },
    ]),
    qr_codes: tags(4, [{ id: 'BIN-0017' }, { id: 'https://example.com/item?id=4711' }]),
    /** Standard deviation of a detected position. */
    noise: Type.Number({ default: 0.0003, minimum: 0, maximum: 0.05 }),
  },
  { additionalProperties: false },
)
export type SceneSettings = Static<typeof SceneSettings>

/**
 * What is in front of the camera with all its sizes, in metres; poses in the camera's frame. A curved item is an
 * ellipsoid in its bounding box; every other one has a rectangle on top.
 */
export const sceneSizes = ({ bin, items, tags }: Scene) => ({
  load_carrier: bin
    ? { inner_dimensions: bin.inner, outer_dimensions: bin.outer, pose: bin.pose, pose_frame: 'camera' }
    : null,
  items: items.map(({ curved, size, pose, top }) => ({
    type: curved ? 'ELLIPSOID' : 'RECTANGLE',
    bounding_box: size,
    pose,
    pose_frame: 'camera',
    on_top: top,
  })),
  tags: tags.map(({ kind, id, size, pose }) => ({ kind, id, size, pose, pose_frame: 'camera' })),
})

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
function binContents(random: () => number, inner: Vector, count: number): LyingItem[] {
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

/** The upper side of an item. */
export interface Surface extends Sortable {
  item: Item
  /** Pose of its centre, x along the longer edge, z out of the item. */
  pose: Pose
  /** Metres, the longer one first. */
  length: number
  width: number
  /** Square metres. */
  area: number
}

/** Our choice: the share of a curved item's diameters that is flat enough for a suction cup. */
const flatShare = 0.5
/** Our choice: the curvature of a curved item. */
export const curvature = 0.3

/** The surface of an item as measured. @param noise standard deviation of the position, metres */
export function surfaceOf(item: Item, random: () => number, noise: number): Surface {
  const share = item.curved ? flatShare : 1
  const { x, y, z } = item.size
  const turn = ofRotationVector({ x: 0, y: 0, z: y > x ? Math.PI / 2 : 0 })
  const upper = composed(item.pose, { position: { x: 0, y: 0, z: z / 2 }, orientation: turn })
  const length = Math.max(x, y) * share
  const width = Math.min(x, y) * share
  return { item, pose: measured(upper, random, noise), length, width, area: length * width }
}
