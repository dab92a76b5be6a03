import { composed, ofRotationVector, product, radians, type Pose, type Vector } from '../../lib/robotics'
import type { Camera } from '../../lib/images/depth'
import type { Pixels } from '../../lib/images/picture'
import { gridPattern, type GridPattern } from '../../lib/images/grid'
import { seededRandom } from '../../virtual-device/values'
import { exposed } from '../../virtual-device/images/render/exposed'
import { lensOf, type Lens, viewImage } from '../../virtual-device/images/render/album'
import { gridStage, type Stage } from '../../virtual-device/images/stage'
import { tagsBeside } from '../../virtual-device/cell/cell'

export type CameraPicture = Pixels & Camera

/** See `Exposure`. */
export interface Taking {
  brightness?: number
  /** dB */
  gain?: number
  blur?: { x: number; y: number }
  seed?: number
}

/** The virtual camera and the usual grid. */
export const usualLens = lensOf(1280, 960, 0.844893)
export const smallLens = lensOf(640, 480, 0.844893)
export const usualPattern = gridPattern(0.26, 0.18)

/** The virtual device's stage with its grid and two tags. */
export function stageWith(grid: Pose, { width, height }: GridPattern = usualPattern): Stage {
  const settings = {
    grid_width: width,
    grid_height: height,
    tags: [
      { id: '36h11_0', size: 0.04 },
      { id: '36h11_1', size: 0.04 },
    ],
  }
  return gridStage({
    grid,
    settings,
    tags: tagsBeside(grid, settings),
    hindrance: undefined,
  })
}

/** As taken by the virtual camera's sensor. */
export function pictureOf(
  stage: Stage,
  lens: Lens = usualLens,
  { brightness = 0.4, gain = 0, blur = { x: 0, y: 0 }, seed = 1 }: Taking = {},
): CameraPicture {
  const { light } = viewImage(stage, lens, 0)
  const data = exposed(light, lens.width, { brightness, gain, gamma: 1, blur, seed })
  const { width, height, focal, u, v } = lens
  return { width, height, encoding: 'mono8', data, focalLength: focal, principalPoint: { u, v } }
}

/** In the camera's frame. Degrees; metres. */
export interface GridView {
  tilt: number
  /** Of the tilt axis. */
  azimuth: number
  roll: number
  distance: number
  /** Offset of the centre from the optical axis, as a share of the distance. */
  aside?: { x: number; y: number }
}

/** Faces the camera before it is tilted. */
export function gridAt({ tilt, azimuth, roll, distance, aside = { x: 0, y: 0 } }: GridView): Pose {
  const [angle, direction] = [radians(tilt), radians(azimuth)]
  return {
    position: { x: aside.x * distance, y: aside.y * distance, z: distance },
    orientation: product(
      ofRotationVector({ x: 0, y: 0, z: radians(roll) }),
      ofRotationVector({ x: angle * Math.cos(direction), y: angle * Math.sin(direction), z: 0 }),
    ),
  }
}

/** With the whole grid in the picture. */
export function randomView(
  random: () => number,
  { tilt, nearest, farthest }: { tilt: number; nearest: number; farthest: number },
  pattern: GridPattern = usualPattern,
  lens: Lens = usualLens,
): Pose {
  const within = (size: number) => size * (2 * random() - 1)
  for (;;) {
    const grid = gridAt({
      tilt: tilt * random(),
      azimuth: 360 * random(),
      roll: within(180),
      distance: nearest + (farthest - nearest) * random(),
      aside: { x: within(0.3), y: within(0.25) },
    })
    if (isWhole(grid, pattern, lens)) return grid
  }
}

function isWhole(grid: Pose, { width, height }: GridPattern, lens: Lens): boolean {
  const border = 8
  return [-1, 1]
    .flatMap((x) => [-1, 1].map((y): Vector => ({ x: (x * width) / 2, y: (y * height) / 2, z: 0 })))
    .every((position) => {
      const { x, y, z } = composed(grid, { position, orientation: { w: 1, x: 0, y: 0, z: 0 } }).position
      const [column, row] = [lens.u + (lens.focal * x) / z, lens.v + (lens.focal * y) / z]
      return (
        z > 0 && Math.min(column, row) > border && column < lens.width - border && row < lens.height - border
      )
    })
}

/** Covers a rectangle: a cable, a hand. */
export function covered(
  picture: CameraPicture,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  level = 60,
): CameraPicture {
  const data = Uint8Array.from(picture.data)
  for (let row = Math.max(0, Math.round(y)); row < Math.min(picture.height, y + height); row++)
    data.fill(
      level,
      row * picture.width + Math.max(0, Math.round(x)),
      row * picture.width + Math.min(picture.width, Math.round(x + width)),
    )
  return { ...picture, data }
}

/** A lamp's reflection, saturated in the middle. */
export function withGlare(
  picture: CameraPicture,
  { x, y, radius }: { x: number; y: number; radius: number },
): CameraPicture {
  const data = Uint8ClampedArray.from(picture.data, (level, index) => {
    const [column, row] = [index % picture.width, Math.floor(index / picture.width)]
    return level + 400 * Math.exp(-((column - x) ** 2 + (row - y) ** 2) / (radius * radius))
  })
  return { ...picture, data: new Uint8Array(data.buffer) }
}

/** Box blur, three times. @param radius pixels */
export function defocused(picture: CameraPicture, radius: number): CameraPicture {
  const { width, height } = picture
  let from = Float32Array.from(picture.data)
  for (let pass = 0; pass < 6; pass++) {
    const [step, length] = pass % 2 ? [width, height] : [1, width]
    const to = new Float32Array(from.length)
    for (let line = 0; line < (pass % 2 ? width : height); line++)
      for (let place = 0; place < length; place++) {
        let sum = 0
        for (let other = -radius; other <= radius; other++)
          sum +=
            from[line * (pass % 2 ? 1 : width) + Math.min(Math.max(place + other, 0), length - 1) * step] ?? 0
        to[line * (pass % 2 ? 1 : width) + place * step] = sum / (2 * radius + 1)
      }
    from = to
  }
  return { ...picture, data: Uint8Array.from(from, Math.round) }
}

/** Resamples the picture. @param from source position of each pixel */
export function warped(
  picture: CameraPicture,
  from: (x: number, y: number) => { x: number; y: number },
): CameraPicture {
  const { width, height, data: before } = picture
  const level = (column: number, row: number) =>
    before[Math.min(Math.max(row, 0), height - 1) * width + Math.min(Math.max(column, 0), width - 1)] ?? 0
  const data = Uint8Array.from({ length: width * height }, (_, index) => {
    const { x, y } = from(index % width, Math.floor(index / width))
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const [aside, below] = [x - column, y - row]
    const above = level(column, row) * (1 - aside) + level(column + 1, row) * aside
    const under = level(column, row + 1) * (1 - aside) + level(column + 1, row + 1) * aside
    return Math.round(above * (1 - below) + under * below)
  })
  return { ...picture, data }
}

/** Radial distortion: a point at r is seen at r (1 + k1 r²). */
export function distorted(picture: CameraPicture, k1: number): CameraPicture {
  const { focalLength: focal, principalPoint } = picture
  return warped(picture, (x, y) => {
    const [u, v] = [(x - principalPoint.u) / focal, (y - principalPoint.v) / focal]
    const seen = Math.hypot(u, v)
    let radius = seen
    for (let round = 0; round < 20; round++) radius = seen / (1 + k1 * radius * radius)
    const share = seen > 0 ? (focal * radius) / seen : focal
    return { x: principalPoint.u + share * u, y: principalPoint.v + share * v }
  })
}

/** Random grey patches as a texture. */
export function patches(lens: Lens, size: number, seed: number): CameraPicture {
  const random = seededRandom(seed)
  const columns = Math.ceil(lens.width / size)
  const levels = Uint8Array.from({ length: columns * Math.ceil(lens.height / size) }, () => 255 * random())
  const data = Uint8Array.from(
    { length: lens.width * lens.height },
    (_, index) =>
      levels[
        Math.floor(Math.floor(index / lens.width) / size) * columns + Math.floor((index % lens.width) / size)
      ] ?? 0,
  )
  const { width, height, focal, u, v } = lens
  return { width, height, encoding: 'mono8', data, focalLength: focal, principalPoint: { u, v } }
}
