import { composed, inverted, type Pose } from '../robotics/pose'
import { isCamera, isInside, type OverlayCamera, type Pixel } from './camera'
import { foundIn, type FoundKind, type FoundThing } from './found'
import { figureOf, type Figure } from './outlines'
import { svgOf, type OverlayTheme } from './svg'

/** What an overlay needs besides answer and camera, and how it looks. */
export interface OverlayOptions {
  /** Pose of the camera in the external frame, metres; without it, only what is given in the camera frame is drawn. */
  camera?: Pose | undefined
  /** The corners of a recognised calibration grid, row by row. */
  grid?: readonly Pixel[] | undefined
  /** @default 'dark' bright lines, for dark pages and for pictures of usual brightness */
  theme?: OverlayTheme
  /** What a screen reader says. @default '' */
  title?: string
  /** The picture as a data URL, which becomes a part of the drawing. @default without */
  picture?: string | undefined
}

/** A drawing to be laid over a picture. */
export interface Overlay {
  /** An SVG file of the same shape as the picture; it contains no script and refers to no other file. */
  svg: string
  /** What is drawn, in pixels. */
  figures: Figure[]
  /** How much of each kind the answer has, drawn or not. */
  found: Partial<Record<FoundKind, number>>
  /** Things that are not drawn. */
  notDrawn: {
    /** They are given in the external frame, and the pose of the camera there is unknown. */
    external: number
    /** They are outside the picture. */
    outside: number
  }
}

/**
 * Draws what a detection service has found over a picture of the left camera: load carriers, items, grasps, tags and
 * regions, by the answer of the service and the calibration that comes with the picture.
 * @throws RangeError if the camera's numbers are impossible
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
