/** Pictures of a stage, drawn once and exposed as often as needed. */
import { inverted, type Pose, rotated, type Vector } from '../../../lib/robotics/pose'
import type { Body, Print, Stage } from '../stage'
import type { PictureOrder } from '../image-service'
import type { ImageSetRequest, SentImage, SentSet } from '../wire'
import { mesh, asColour, disparityImage, exposed, scale } from './exposed'

const mostViews = 4 // cached views of one stage: left, right, and one or two sizes of depth

/** Takes pictures of a stage. A view is drawn once, until the stage or its size changes. */
export class Album {
  private stage: Stage = { bodies: [], prints: [] }
  private readonly views = new Map<string, Canvas>()

  show(stage: Stage): void {
    this.stage = stage
    this.views.clear()
  }

  /** Each part of the picture is computed once, on demand. */
  take(order: PictureOrder): (wanted: ImageSetRequest) => SentSet {
    const { camera, depth, exposure, seed, taking } = order
    const { baseline } = depth
    const lens = lensOf(camera.width, camera.height, camera.focal)
    const depthLens = lensOf(depth.width, depth.height, camera.focal)
    const grey = (eye: number, salt: number) =>
      once(() => {
        const { light } = this.view(lens, eye)
        return exposed(light, lens.width, { ...exposure, seed: seed + salt })
      })
    const [left, right] = [grey(0, 1), grey(baseline, 2)]
    const [leftColour, rightColour] = [once(() => asColour(left())), once(() => asColour(right()))]
    const measured = once(() => disparityImage(this.view(depthLens, 0), { ...depth, seed }))
    const camerasImage = (grey: () => Uint8Array, colour: () => Uint8Array, color: boolean): SentImage =>
      color ? { ...lens, encoding: 'rgb8', data: colour() } : { ...lens, encoding: 'mono8', data: grey() }

    return (wanted) => ({
      taking,
      ...(wanted.left && { left: camerasImage(left, leftColour, wanted.color) }),
      ...(wanted.right && { right: camerasImage(right, rightColour, wanted.color) }),
      ...(wanted.disparity && {
        disparity: { ...depthLens, encoding: 'mono16', data: measured().raw, scale, baseline },
      }),
      ...(wanted.error && { error: { ...depthLens, encoding: 'mono8', data: measured().error } }),
      ...(wanted.confidence && {
        confidence: { ...depthLens, encoding: 'mono8', data: measured().confidence },
      }),
      ...(wanted.mesh && {
        mesh: mesh(measured(), depthLens, baseline, wanted.meshOptions, { data: left(), ...sizeOf(lens) }),
      }),
    })
  }

  private view(lens: Lens, eye: number): Canvas {
    const key = `${lens.width} ${lens.height} ${lens.focal} ${eye}`
    const known = this.views.get(key)
    if (known) return known
    const [oldest] = this.views.keys()
    if (this.views.size >= mostViews && oldest !== undefined) this.views.delete(oldest)
    const view = viewImage(this.stage, lens, eye)
    this.views.set(key, view)
    return view
  }
}

const sizeOf = ({ width, height }: Lens) => ({ width, height })

function once<Thing>(make: () => Thing): () => Thing {
  let made: { thing: Thing } | undefined
  return () => (made ??= { thing: make() }).thing
}

/** Casts a ray through the centre of every pixel; printed edges are averaged over the pixel. */
export function viewImage(stage: Stage, lens: Lens, eye: Eye): Canvas {
  const pixels = lens.width * lens.height
  const image = { lens, depth: new Float32Array(pixels).fill(Infinity), light: new Uint8Array(pixels) }
  drawBodies(image, stage.bodies, eye)
  for (const print of stage.prints) drawPrint(image, print, eye)
  return image
}

export interface Canvas {
  lens: Lens
  /** Along the camera's axis, metres; Infinity for nothing. */
  depth: Float32Array
  /** Reflected light, 0 to 255. */
  light: Uint8Array
}

/** A projection without distortion; pixel coordinates count from the centre of the first pixel. */
export interface Lens {
  width: number
  height: number
  focal: number
  /** Principal point. */
  u: number
  v: number
}

/** The camera's axis goes through the middle of the image. @param focal length divided by the width */
export const lensOf = (width: number, height: number, focal: number): Lens => ({
  width,
  height,
  focal: focal * width,
  u: (width - 1) / 2,
  v: (height - 1) / 2,
})

/** 256 colours of a bitmap: blue, green, red and an unused byte. */
type Palette = Uint8Array

const headerBytes = 54

const colourCount = 256

/** A BMP file costs no more than a copy. @param data colour number of each pixel, from the top left */
export function bitmap(
  data: Uint8Array,
  { width, height }: { width: number; height: number },
  palette: Palette,
): Uint8Array {
  const row = Math.ceil(width / 4) * 4
  const pixelsAt = headerBytes + palette.length
  const file = Buffer.alloc(pixelsAt + row * height)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(pixelsAt, 10)
  // The header that all programs read, with its length.
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  // Negative: the first row is the upper one.
  file.writeInt32LE(-height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(8, 28)
  file.writeUInt32LE(colourCount, 46)
  file.set(palette, headerBytes)
  for (let line = 0; line < height; line++)
    file.set(data.subarray(line * width, (line + 1) * width), pixelsAt + line * row)
  return file
}

export const greys: Palette = paletteOf((level) => [level, level, level])

/** From near to far: red, yellow, green, cyan, blue. Number 0 is black, for pixels without a measurement. */
export const depthColours: Palette = paletteOf((level) => {
  if (level === 0) return [0, 0, 0]
  const hue = (240 * (level - 1)) / (colourCount - 2)
  const part = (shift: number) => {
    const away = Math.abs((((hue + shift) % 360) + 360) % 360)
    const share = Math.min(1, Math.max(0, 2 - Math.min(away, 360 - away) / 60))
    return Math.round(45 + 195 * share)
  }
  return [part(0), part(-120), part(-240)]
})

function paletteOf(colour: (level: number) => [number, number, number]): Palette {
  const palette = new Uint8Array(4 * colourCount)
  for (let level = 0; level < colourCount; level++) {
    const [red, green, blue] = colour(level)
    palette.set([blue, green, red], 4 * level)
  }
  return palette
}

const grains = 250 // per metre: texture of every body

const aside = 0.37 // offset of the first grain, in grains

const contrast = 0.3 // relative difference of a grain from its body

const ambient = 0.35 // share of ambient light

/** Direction to the lamp beside the camera, in its frame, of unit length. */
const lamp = { x: -0.35, y: -0.45, z: -0.8216 }

interface VisibleBody extends Placed {
  body: Body
  toLamp: Vector
}

function drawBodies(image: Canvas, bodies: readonly Body[], eye: Eye): void {
  const seen = bodies.map((body): VisibleBody => {
    const there = placed(body.pose, eye)
    return { ...there, body, toLamp: turned(there, lamp) }
  })
  // Only visible points are shaded.
  const nearest = new Uint16Array(image.depth.length)
  for (const [index, each] of seen.entries()) findNearest(image, each, { eye, nearest, mark: index + 1 })
  shade(image, seen, nearest)
}

function findNearest(
  { lens, depth }: Canvas,
  { body, from, right, down, ahead }: VisibleBody,
  { eye, nearest, mark }: { eye: Eye; nearest: Uint16Array; mark: number },
) {
  const { left, right: end, top, bottom } = windowOf(cornersOfBox(body.pose, body.half), eye, lens)
  const { half } = body
  const isBox = body.shape === 'box'
  for (let row = top; row < bottom; row++) {
    const y = (row - lens.v) / lens.focal
    const [rayX, rayY, rayZ] = [down.x * y + ahead.x, down.y * y + ahead.y, down.z * y + ahead.z]
    for (let column = left; column < end; column++) {
      const x = (column - lens.u) / lens.focal
      const alongX = right.x * x + rayX
      const alongY = right.y * x + rayY
      const alongZ = right.z * x + rayZ
      const at = isBox
        ? toBox(from, half, alongX, alongY, alongZ)
        : toEllipsoid(from, half, alongX, alongY, alongZ)
      const index = row * lens.width + column
      if (!(at < (depth[index] as number))) continue
      depth[index] = at
      nearest[index] = mark
    }
  }
}

function shade({ lens, depth, light }: Canvas, seen: readonly VisibleBody[], nearest: Uint16Array) {
  let index = 0
  for (let row = 0; row < lens.height; row++) {
    const y = (row - lens.v) / lens.focal
    for (let column = 0; column < lens.width; column++, index++) {
      const mark = nearest[index] as number
      if (mark === 0) continue
      const { body, from, right, down, ahead, toLamp } = seen[mark - 1] as VisibleBody
      const x = (column - lens.u) / lens.focal
      const at = depth[index] as number
      light[index] = lightAt(
        body,
        toLamp,
        from.x + at * (right.x * x + down.x * y + ahead.x),
        from.y + at * (right.y * x + down.y * y + ahead.y),
        from.z + at * (right.z * x + down.z * y + ahead.z),
      )
    }
  }
}

const turned = (axes: { right: Vector; down: Vector; ahead: Vector }, { x, y, z }: Vector): Vector => ({
  x: axes.right.x * x + axes.down.x * y + axes.ahead.x * z,
  y: axes.right.y * x + axes.down.y * y + axes.ahead.y * z,
  z: axes.right.z * x + axes.down.z * y + axes.ahead.z * z,
})

/** @param x @param y @param z a point on the body, in its frame */
function lightAt({ half, shape, albedo }: Body, toLamp: Vector, x: number, y: number, z: number): number {
  let facing: number
  if (shape === 'box') {
    // The hit face is the one with the nearest plane.
    const outX = Math.abs(x) / half.x
    const outY = Math.abs(y) / half.y
    const outZ = Math.abs(z) / half.z
    if (outX >= outY && outX >= outZ) facing = x < 0 ? -toLamp.x : toLamp.x
    else if (outY >= outZ) facing = y < 0 ? -toLamp.y : toLamp.y
    else facing = z < 0 ? -toLamp.z : toLamp.z
  } else {
    const nx = x / half.x ** 2
    const ny = y / half.y ** 2
    const nz = z / half.z ** 2
    facing = (nx * toLamp.x + ny * toLamp.y + nz * toLamp.z) / Math.sqrt(nx * nx + ny * ny + nz * nz)
  }
  const bright = facing > 0 ? ambient + (1 - ambient) * facing : ambient
  return 255 * albedo * bright * (1 + contrast * (grain(x, y, z) - 0.5))
}

/** 0 to 1, the same for all points of a grain. */
function grain(x: number, y: number, z: number): number {
  // Shifted by part of a grain, so that no face of a usual size is a border between grains.
  let mixed =
    Math.imul(Math.floor(x * grains + aside), 0x9e3779b1) ^
    Math.imul(Math.floor(y * grains + aside), 0x85ebca6b) ^
    Math.imul(Math.floor(z * grains + aside), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296
}

/** @param rayX @param rayY @param rayZ one metre of the camera's axis; all in the body's frame */
function toBox(from: Vector, half: Vector, rayX: number, rayY: number, rayZ: number): number {
  // A ray along a face has an infinite one, with its sign.
  const byX = 1 / rayX
  const byY = 1 / rayY
  const byZ = 1 / rayZ
  let enters = ((byX > 0 ? -half.x : half.x) - from.x) * byX
  let leaves = ((byX > 0 ? half.x : -half.x) - from.x) * byX
  const entersY = ((byY > 0 ? -half.y : half.y) - from.y) * byY
  const leavesY = ((byY > 0 ? half.y : -half.y) - from.y) * byY
  const entersZ = ((byZ > 0 ? -half.z : half.z) - from.z) * byZ
  const leavesZ = ((byZ > 0 ? half.z : -half.z) - from.z) * byZ
  if (entersY > enters) enters = entersY
  if (entersZ > enters) enters = entersZ
  if (leavesY < leaves) leaves = leavesY
  if (leavesZ < leaves) leaves = leavesZ
  return enters <= leaves && enters > 0 ? enters : Infinity
}

function toEllipsoid(from: Vector, half: Vector, rayX: number, rayY: number, rayZ: number): number {
  // In units of its half diameters, an ellipsoid is a sphere.
  const fromX = from.x / half.x
  const fromY = from.y / half.y
  const fromZ = from.z / half.z
  const x = rayX / half.x
  const y = rayY / half.y
  const z = rayZ / half.z
  const a = x * x + y * y + z * z
  const b = fromX * x + fromY * y + fromZ * z
  const root = b * b - a * (fromX * fromX + fromY * fromY + fromZ * fromZ - 1)
  const at = (-b - Math.sqrt(root)) / a
  return root >= 0 && at > 0 ? at : Infinity
}

const tolerance = 0.002 // metres: a print is drawn on a body at most this much nearer

const samples = 4 // per pixel in each direction: edges are exact to a fraction of a pixel

const outermost = 0.5 // from the centre of a pixel to its edges, pixels

/** A pseudo-random number from 0 to 1 for each index. */
const shareOf = (index: number, factor: number): number => (Math.imul(index + 1, factor) >>> 8) / 2 ** 24

/** Draws a print where nothing is in front of it. Seen from behind, it is invisible. */
export function drawPrint(image: Canvas, print: Print, eye: Eye): void {
  const { lens, depth, light } = image
  const { width, height, columns, rows, fields } = print
  const flat = { x: width / 2, y: height / 2, z: 0 }
  const { left, right: end, top, bottom } = windowOf(cornersOfBox(print.pose, flat), eye, lens)
  const { from, right, down, ahead } = placed(print.pose, eye)
  if (from.z >= 0) return

  /** The field at a point of the image, and -1 where the print is hidden. */
  const fieldAt = (column: number, row: number, depthThere: number): number => {
    const x = (column - lens.u) / lens.focal
    const y = (row - lens.v) / lens.focal
    const at = -from.z / (right.z * x + down.z * y + ahead.z)
    if (!(at > 0 && at < depthThere + tolerance)) return -1
    const across = Math.floor(((from.x + at * (right.x * x + down.x * y + ahead.x)) / width + 0.5) * columns)
    const along = Math.floor(((from.y + at * (right.y * x + down.y * y + ahead.y)) / height + 0.5) * rows)
    return across < 0 || along < 0 || across >= columns || along >= rows ? -1 : along * columns + across
  }
  for (let row = top; row < bottom; row++)
    for (let column = left; column < end; column++) {
      const index = row * lens.width + column
      const depthThere = depth[index] as number
      const corner = fieldAt(column - outermost, row - outermost, depthThere)
      // A field is convex: points between two of its points are in it too. Beside the print, at most a tip of it is
      // lost.
      const isWhole =
        corner === fieldAt(column + outermost, row - outermost, depthThere) &&
        corner === fieldAt(column - outermost, row + outermost, depthThere) &&
        corner === fieldAt(column + outermost, row + outermost, depthThere)
      if (isWhole) {
        if (corner >= 0) light[index] = 255 * paper * (fields[corner] as number)
        continue
      }
      // No two samples in one row or column, and different ones in each pixel: an edge along them would move by a part
      // of a pixel.
      const shift = { x: shareOf(index, 0x9e3779b1), y: shareOf(index, 0x85ebca6b) }
      let sum = 0
      let count = 0
      for (let sample = 0; sample < samples * samples; sample++) {
        const [across, down] = [sample % samples, Math.floor(sample / samples)]
        const aside = (((across + (down + 0.5) / samples) / samples + shift.x) % 1) - 0.5
        const below = (((down + (across + 0.5) / samples) / samples + shift.y) % 1) - 0.5
        const field = fieldAt(column + aside, row + below, depthThere)
        if (field < 0) continue
        sum += fields[field] as number
        count += 1
      }
      const share = count / samples ** 2
      light[index] = (1 - share) * (light[index] as number) + (255 * paper * sum) / samples ** 2
    }
}

const paper = 0.9 // paper faces the lamp at a slight angle

/** An eye of the camera: its distance to the right of the left one, metres. */
type Eye = number

/** A thing from an eye's view: position of the eye and directions of the image's axes in the thing's frame. */
interface Placed {
  from: Vector
  /** Change of a ray, one metre ahead, by one metre to the right, down, ahead. */
  right: Vector
  down: Vector
  ahead: Vector
}

function placed(pose: Pose, eye: Eye): Placed {
  const { position, orientation } = inverted(pose)
  const along = (x: number, y: number, z: number) => rotated({ x, y, z }, orientation)
  const start = along(eye, 0, 0)
  return {
    from: { x: start.x + position.x, y: start.y + position.y, z: start.z + position.z },
    right: along(1, 0, 0),
    down: along(0, 1, 0),
    ahead: along(0, 0, 1),
  }
}

/** Pixels; the ends are exclusive. */
interface Window {
  left: number
  right: number
  top: number
  bottom: number
}

const nearest = 0.02 // closer points have no useful projection, metres

/** The pixels enclosed by the corners; all if one of them is beside or behind the camera. */
function windowOf(corners: readonly Vector[], eye: Eye, lens: Lens): Window {
  const whole = { left: 0, right: lens.width, top: 0, bottom: lens.height }
  if (corners.some(({ z }) => z < nearest)) return whole
  const columns = corners.map(({ x, z }) => lens.u + (lens.focal * (x - eye)) / z)
  const rows = corners.map(({ y, z }) => lens.v + (lens.focal * y) / z)
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
  return {
    left: within(Math.floor(Math.min(...columns)) - 1, lens.width),
    right: within(Math.ceil(Math.max(...columns)) + 2, lens.width),
    top: within(Math.floor(Math.min(...rows)) - 1, lens.height),
    bottom: within(Math.ceil(Math.max(...rows)) + 2, lens.height),
  }
}

/** Corners of a box centred on the pose. */
const cornersOfBox = ({ position, orientation }: Pose, half: Vector): Vector[] =>
  [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) =>
      [-1, 1].map((z) => {
        const corner = rotated({ x: x * half.x, y: y * half.y, z: z * half.z }, orientation)
        return { x: corner.x + position.x, y: corner.y + position.y, z: corner.z + position.z }
      }),
    ),
  )
