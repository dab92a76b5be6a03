import { Value } from '../../lib/typebox'
import {
  composed,
  distance,
  identity,
  inverted,
  product,
  type Pose,
  type Vector,
} from '../../lib/robotics/pose'
import { angleOf, conjugated, ofRotationVector } from '../../lib/robotics/quaternion'
import type { Environment } from '../module'
import { carriedCameraOf } from '../motion/carried-camera'
import { seededRandom } from '../random'
import { binContents } from './bin-contents'
import { SceneSettings } from './scene-settings'
import { seenFrom } from './seen-from'

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
