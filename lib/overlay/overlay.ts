/** Draws what a service has found over a picture: answer and camera in, SVG out. */
import { composed, identity, type Pose, type Vector, inverted } from '../robotics/pose'
import { devicePoseIn, deviceVectorIn } from '../robotics/pose-numbers'

/** Intrinsics of a rectified picture, as sent with each image of the device. */
export interface OverlayCamera {
  /** Pixels. */
  width: number
  height: number
  /** Pixels of this picture. */
  focalLength: number
  /** Pixels; the centre of the first pixel is 0, 0. */
  principalPoint: { u: number; v: number }
}

/** A place in the picture, pixels from the centre of the first one: right, down. */
export interface Pixel {
  u: number
  v: number
}

const nearest = 0.02 // points nearer than this cannot be projected, metres

/** Projects a point of the camera frame; undefined beside or behind the camera. */
export function pixelOf(
  { focalLength, principalPoint }: OverlayCamera,
  { x, y, z }: Vector,
): Pixel | undefined {
  if (!(z >= nearest)) return undefined
  const pixel = {
    u: principalPoint.u + (focalLength * x) / z,
    v: principalPoint.v + (focalLength * y) / z,
  }
  return Number.isFinite(pixel.u) && Number.isFinite(pixel.v) ? pixel : undefined
}

const isInside = ({ width, height }: OverlayCamera, { u, v }: Pixel): boolean =>
  u >= -0.5 && v >= -0.5 && u <= width - 0.5 && v <= height - 0.5

/** The numbers permit drawing. */
const isCamera = (given: OverlayCamera): boolean =>
  [given.width, given.height, given.focalLength].every((value) => value > 0 && value <= 1e6) &&
  [given.principalPoint.u, given.principalPoint.v].every((value) => Math.abs(value) <= 1e6)

/** A calibration grid of squares. */
export interface OverlayGrid {
  /** Of the outline, metres. */
  width: number
  height: number
  columns: number
  rows: number
}

const mostSquares = 60 // per row or column

/**
 * The inner corners of a recognised calibration grid in the picture, row by row: the `grid` of `overlayOf`.
 * @param pose of its centre in the camera frame, metres: x along the rows, y down the columns
 */
export function gridCorners(
  { width, height, columns, rows }: OverlayGrid,
  pose: Pose,
  camera: OverlayCamera,
): Pixel[] {
  const corners: Pixel[] = []
  for (let row = 1; row < Math.min(rows, mostSquares); row++)
    for (let column = 1; column < Math.min(columns, mostSquares); column++) {
      const position = { x: (column / columns - 0.5) * width, y: (row / rows - 0.5) * height, z: 0 }
      const pixel = pixelOf(
        camera,
        composed(pose, { position, orientation: identity().orientation }).position,
      )
      if (pixel) corners.push(pixel)
    }
  return corners
}

/** Title and appearance of an overlay. */
export interface OverlayOptions {
  /** Pose of the camera in the external frame, metres; without it, only results in the camera frame are drawn. */
  camera?: Pose | undefined
  /** The corners of a recognised calibration grid, row by row. */
  grid?: readonly Pixel[] | undefined
  /** @default 'dark' bright lines, for dark pages and for pictures of usual brightness */
  theme?: OverlayTheme
  /** For screen readers. @default '' */
  title?: string
  /** Data URL, embedded in the drawing. @default without */
  picture?: string | undefined
}

/** A drawing to be laid over a picture. */
export interface Overlay {
  /** Same shape as the picture; without script and references. */
  svg: string
  figures: Figure[]
  /** Number of each kind in the answer, drawn or not. */
  found: Partial<Record<FoundKind, number>>
  notDrawn: {
    /** In the external frame, without the camera's pose there. */
    external: number
    outside: number
  }
}

/**
 * Draws the results of a detection service over a picture of the left camera: load carriers, items, grasps, tags and
 * regions, by the answer of the service and the calibration sent with the picture. @throws RangeError if the camera's
 * numbers are impossible
 */
export function overlayOf(answer: unknown, camera: OverlayCamera, options: OverlayOptions = {}): Overlay {
  if (!isCamera(camera)) throw new RangeError('The camera of the picture has impossible numbers')
  const { theme = 'dark', title = '', grid = [], picture } = options
  const { things, region } = foundIn(answer)
  const toCamera = options.camera && inverted(options.camera)
  const found: Overlay['found'] = {}
  const notDrawn = { external: 0, outside: 0 }
  const figures: Figure[] = []
  for (const thing of things) {
    found[thing.kind] = (found[thing.kind] ?? 0) + 1
    const pose = poseInCamera(thing, toCamera)
    const figure = pose && figureOf(thing, pose, camera)
    if (!pose) notDrawn.external++
    else if (!figure || !isSeen(figure, camera)) notDrawn.outside++
    else figures.push(figure)
  }
  if (region) figures.unshift(ofPixels('region', cornersOf(region)))
  if (grid.length) figures.push(...grid.map((corner) => ofPixels('grid', [corner, corner])))
  return { svg: svgOf(figures, camera, { theme, title, picture }), figures, found, notDrawn }
}

const poseInCamera = ({ frame, pose }: FoundThing, toCamera: Pose | undefined): Pose | undefined =>
  frame === 'camera' ? pose : toCamera && composed(toCamera, pose)

const isSeen = ({ lines, label }: Figure, camera: OverlayCamera): boolean =>
  [label, ...lines.flatMap(({ points }) => points)].some((pixel) => isInside(camera, pixel))

const ofPixels = (kind: 'grid' | 'region', points: Pixel[]): Figure => ({
  ...{ kind, name: '', lines: [{ points, isClosed: true }] },
  label: points[0] ?? { u: 0, v: 0 },
})

const cornersOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => {
  // The edges of the pixels, not their centres.
  const [left, top] = [x - 0.5, y - 0.5]
  return [
    { u: left, v: top },
    { u: left + width, v: top },
    { u: left + width, v: top + height },
    { u: left, v: top + height },
  ]
}

/** One thing as it is drawn. */
export interface Figure {
  kind: FoundKind | 'grid' | 'region'
  name: string
  /** Open lines and closed outlines, pixels. */
  lines: { points: Pixel[]; isClosed: boolean }[]
  label: Pixel
}

/** Lengths of the marks of a grasp and of a frame, metres. */
const marks = { cross: 0.012, approach: 0.05, axis: 0.03 }

/** Undefined if a part of it is beside or behind the camera. */
function figureOf(
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
      // A tag is upright along its x axis.
      return [rectangle(at, thing.size, thing.size), open(at(0, 0), at(thing.size / 2, 0))]
    case 'grasp': {
      const { cross, approach } = marks
      // The gripper approaches along z.
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

/** A result of a detection service. Lengths in metres. */
export type FoundThing = {
  /** The frame of the pose. */
  frame: 'camera' | 'external'
  pose: Pose
  /** An id, or the index in the answer; empty for none. */
  name: string
} & (
  | { kind: 'loadCarrier'; outer: Vector; inner: Vector }
  | { kind: 'item'; x: number; y: number }
  | { kind: 'grasp' }
  | { kind: 'tag'; size: number }
  | { kind: 'object' }
)

/** Kinds of things that are drawn. */
export type FoundKind = FoundThing['kind']

/** A rectangle of the full image, pixels. */
export interface FoundRegion {
  x: number
  y: number
  width: number
  height: number
}

/** Contents of an answer. */
export interface Found {
  things: FoundThing[]
  region?: FoundRegion
}

const most = 200 // per kind: no answer has more, and a picture with more shows nothing

const longestName = 32 // letters of a name

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

const numberOf = (value: unknown): number =>
  typeof value === 'number' && Math.abs(value) <= 1e6 ? value : NaN

/** The results in an answer of a detection service. Ignores unknown fields. */
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
  // Stored things, such as the grasps of a template, are in the frame of something else.
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

/** The colours of an overlay: bright lines with a dark edge, or dark lines with a bright one. */
export type OverlayTheme = 'light' | 'dark'

/** Of lines and their edges, which keep them visible on any picture. */
const colours: Readonly<Record<OverlayTheme, { edge: string } & Record<Figure['kind'], string>>> = {
  dark: {
    edge: '#000',
    loadCarrier: '#35d6ff',
    item: '#ffd23f',
    grasp: '#ff5ad1',
    tag: '#6dff6a',
    object: '#ff9f43',
    grid: '#6dff6a',
    region: '#ffffff',
  },
  light: {
    edge: '#fff',
    loadCarrier: '#00629b',
    item: '#8a5a00',
    grasp: '#a3006f',
    tag: '#0b6b10',
    object: '#a84300',
    grid: '#0b6b10',
    region: '#222222',
  },
}

const round = (value: number) => Number(value.toFixed(2))

/** An SVG file of the same shape as the picture, over it if it is given as a data URL. */
function svgOf(
  figures: readonly Figure[],
  { width, height }: Pick<OverlayCamera, 'width' | 'height'>,
  { theme, title, picture }: { theme: OverlayTheme; title: string; picture?: string | undefined },
): string {
  const { edge, ...lines } = colours[theme]
  const stroke = width / 320
  const size = width / 30
  const shapes = figures.map((figure) => {
    const { kind, label } = figure
    // Corners are dots, visible on a small screen too.
    const wide = kind === 'grid' ? 2.5 * stroke : stroke
    const path = figure.lines
      .map(({ points, isClosed }) => {
        const [first, ...others] = points.map(({ u, v }) => `${round(u)} ${round(v)}`)
        return `M${first ?? ''}${others.map((place) => `L${place}`).join('')}${isClosed ? 'Z' : ''}`
      })
      .join('')
    const colour = lines[kind]
    const name = kind === 'grid' || kind === 'region' ? '' : figure.name
    const text = name
      ? `<text x="${round(label.u)}" y="${round(label.v)}" dx="${round(size / 2)}" dy="${round(-size / 2)}" fill="${colour}" stroke="${edge}" stroke-width="${round(stroke * 1.6)}" paint-order="stroke">${escaped(name)}</text>`
      : ''
    return (
      `<g data-kind="${kind}">` +
      `<path d="${path}" stroke="${edge}" stroke-opacity="0.65" stroke-width="${round(wide + stroke * 1.4)}"/>` +
      `<path d="${path}" stroke="${colour}" stroke-width="${round(wide)}"${kind === 'region' ? ` stroke-dasharray="${round(4 * stroke)}"` : ''}/>` +
      `${text}</g>`
    )
  })
  // The centre of pixel 0 is half a pixel from the edge.
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-0.5 -0.5 ${width} ${height}" width="${width}" height="${height}" role="img">` +
    `<title>${escaped(title)}</title>` +
    (picture === undefined
      ? ''
      : `<image x="-0.5" y="-0.5" width="${width}" height="${height}" href="${escaped(picture)}"/>`) +
    `<g fill="none" stroke-linejoin="round" stroke-linecap="round" font-family="sans-serif" font-size="${round(size)}">${shapes.join('')}</g></svg>`
  )
}

/** For an `img` element. */
export const svgDataUrl = (svg: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

/** For an SVG file. Names come from the device. */
export const escaped = (text: string): string =>
  // Control characters are not allowed in XML at all.
  text
    .replace(/[\u0000-\u001f\ufffe\uffff\ud800-\udfff]/g, '\ufffd')
    .replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
