import { devicePoseIn, deviceVectorIn } from '../robotics/device-pose'
import type { Pose, Vector } from '../robotics/pose'

/** Something that a detection service has found. Lengths in metres. */
export type FoundThing = {
  /** The frame of the pose. */
  frame: 'camera' | 'external'
  pose: Pose
  /** What people know it by: an id, or the place in the answer; empty for none. */
  name: string
} & (
  | { kind: 'loadCarrier'; outer: Vector; inner: Vector }
  | { kind: 'item'; x: number; y: number }
  | { kind: 'grasp' }
  | { kind: 'tag'; size: number }
  | { kind: 'object' }
)
/** The kinds of things that are drawn. */
export type FoundKind = FoundThing['kind']

/** A rectangle of the full image, pixels. */
export interface FoundRegion {
  x: number
  y: number
  width: number
  height: number
}

/** What an answer contains. */
export interface Found {
  things: FoundThing[]
  region?: FoundRegion
}

/** Things of one kind, at most: no answer has more, and a picture with more shows nothing. */
const most = 200
/** Letters of a name. */
const longestName = 32

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const numberOf = (value: unknown): number =>
  typeof value === 'number' && Math.abs(value) <= 1e6 ? value : NaN

/** What a detection service has found, by its answer. Ignores what it does not know. */
export function foundIn(answer: unknown): Found {
  const fields = fieldsOf(answer)
  const each = (name: string, read: (entry: Fields, place: number) => FoundThing | undefined) => {
    const list: unknown = fields[name]
    return (Array.isArray(list) ? list.slice(0, most) : []).flatMap((entry: unknown, index) => {
      const thing = read(fieldsOf(entry), index + 1)
      return thing ? [thing] : []
    })
  }
  const region = regionIn(fields['region_of_interest_2d'])
  return {
    things: [
      ...each('load_carriers', loadCarrier),
      ...each('items', item),
      ...each('matches', object),
      ...each('instances', object),
      ...each('tags', tag),
      ...each('grasps', grasp),
    ],
    ...(region && { region }),
  }
}

function placeIn(entry: Fields): Pick<FoundThing, 'frame' | 'pose'> | undefined {
  const pose = devicePoseIn(entry['pose'])
  const frame = entry['pose_frame']
  // What is stored, such as the grasps of a template, is in the frame of something else.
  return pose && (frame === 'camera' || frame === 'external') ? { frame, pose } : undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, longestName) : '')

function loadCarrier(entry: Fields): FoundThing | undefined {
  const place = placeIn(entry)
  const [outer, inner] = [
    deviceVectorIn(entry['outer_dimensions']),
    deviceVectorIn(entry['inner_dimensions']),
  ]
  if (!place || !outer) return undefined
  return { kind: 'loadCarrier', ...place, outer, inner: inner ?? outer, name: textOf(entry['id']) }
}

function item(entry: Fields, index: number): FoundThing | undefined {
  const place = placeIn(entry)
  const size = fieldsOf(entry['rectangle'] ?? entry['bounding_box'])
  const [x, y] = [numberOf(size['x']), numberOf(size['y'])]
  if (!place) return undefined
  if (Number.isNaN(x + y)) return { kind: 'object', ...place, name: String(index) }
  return { kind: 'item', ...place, x, y, name: String(index) }
}

function object(entry: Fields, index: number): FoundThing | undefined {
  const place = placeIn(entry)
  return place && { kind: 'object', ...place, name: String(index) }
}

function tag(entry: Fields): FoundThing | undefined {
  const place = placeIn(entry)
  const size = numberOf(entry['size'])
  return place && size > 0 ? { kind: 'tag', ...place, size, name: textOf(entry['id']) } : undefined
}

function grasp(entry: Fields, index: number): FoundThing | undefined {
  const place = placeIn(entry)
  return place && { kind: 'grasp', ...place, name: String(index) }
}

function regionIn(value: unknown): FoundRegion | undefined {
  const given = fieldsOf(value)
  const [x, y, width, height] = ['offset_x', 'offset_y', 'width', 'height'].map((name) =>
    numberOf(given[name]),
  ) as [number, number, number, number]
  return width > 0 && height > 0 && x + y >= 0 ? { x, y, width, height } : undefined
}
