/** The camera's view of the calibration grid, and its picture. */
import { type Pose, composed, identity, type Vector } from '../../lib/robotics/pose'
import type { Scene } from '../detection/scene'
import type { Module } from '../module'
import type { Scenario } from '../scenario'
import {
  type CellSnapshot,
  disturbed,
  sentenceOf,
  cornersOf,
  steepness,
  squaresOf,
  type CellTag,
} from './cell'
import { axisOf, type Pixel, type View } from '../detection/geometry'

/** In the frame of a pipeline's camera. */
export interface Sight {
  scene: () => Scene
  /** The calibration grid, as seen from the last reported pose. */
  grid: () => CellSnapshot
  /** While poses are recorded, the grid is in front of the camera. */
  calibrating: boolean
  /** Standard deviation of a measured depth, metres. */
  noise: number
}

export type SeeingModule = Module & { sight: () => Sight }

/** @param handEye the hand-eye calibration of a pipeline */
export const sightOf = (handEye: Module | undefined): Sight | undefined =>
  (handEye as SeeingModule | undefined)?.sight()

/** The grid is in front of the camera in place of the scene. */
export const seesGrid = ({ image_view }: Scenario, sight: Sight | undefined): boolean =>
  image_view === 'grid' || (image_view === 'auto' && sight?.calibrating === true)

/** Detection of the grid at one pose of the robot. Poses in the camera's frame, as if it knew the true size of the grid. */
export interface Sighting {
  grid: Pose
  /** True edges of that grid, metres. */
  width: number
  height: number
  tags: { id: string; size: number; pose: Pose }[]
}

const usualDistance = 0.6 // the distance for which the noise of the settings applies, metres

/** @param tagIds ids of AprilTags to be detected besides the grid @returns the reason if the grid is not recognised */
export function seenIn(
  { grid, tags, settings, hindrance, view }: CellSnapshot,
  tagIds: readonly string[],
  random: () => number,
): Sighting | string {
  if (hindrance) return sentenceOf(hindrance)
  const detected = (pose: Pose): Pose => {
    const farther = pose.position.z / usualDistance
    const across = settings.grid_noise * farther
    return disturbed(pose, random, { across, along: 2 * across }, settings.grid_noise_degrees * farther)
  }
  return {
    grid: detected(grid),
    width: settings.grid_width,
    height: settings.grid_height,
    tags: tags
      .filter(({ id, kind, pose }) => kind === 'april' && tagIds.includes(id) && view.inImage(pose.position))
      .map(({ id, size, pose }) => ({ id, size, pose: detected(pose) })),
  }
}

/** The detection with an assumed size of the grid: a camera measures only angles, so distances scale with the size. */
export function believing(width: number, height: number, seen: Sighting): Sighting {
  const scale = Math.sqrt((width * height) / (seen.width * seen.height))
  const scaled = (pose: Pose): Pose => ({
    ...pose,
    position: { x: scale * pose.position.x, y: scale * pose.position.y, z: scale * pose.position.z },
  })
  return {
    grid: scaled(seen.grid),
    width,
    height,
    tags: seen.tags.map(({ id, size, pose }) => ({ id, size: scale * size, pose: scaled(pose) })),
  }
}

/** Some results are valid only as long as the calibration of the camera itself. */
export function cameraCalibration() {
  const dependents: (() => void)[] = []
  return {
    /** @param invalid called when the camera has been recalibrated */
    onRenewed: (invalid: () => void) => void dependents.push(invalid),
    renewed: () => {
      for (const invalid of dependents) invalid()
    },
  }
}

interface PictureCaption {
  message?: string
  detected?: boolean
}

/** Margin around the image as a share of its width, which shows what is outside. */
const margin = 0.2

const nearestDrawn = 0.01 // nearest distance that is drawn, metres

/**
 * The camera's view as an SVG: the frame of the image, the grid and its tags, including what is outside the frame, a
 * green outline where the grid was detected, and a caption.
 */
export function cellPicture(look: CellSnapshot, caption: PictureCaption): string {
  const { view, hindrance } = look
  const { width, height } = view
  const [border, line] = [Math.round(margin * width), Math.round(height / 26)]
  const colour = hindrance ? '#ff6b6b' : caption.detected ? '#51cf66' : '#ffa94d'
  const box = [-border, -border, width + 2 * border, height + 2 * border + 4 * line] as const
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}" font-family="sans-serif">`,
    rectangle(...box, '#343a40'),
    rectangle(0, 0, width, height, '#868e96'),
    ...board(look),
    ...look.tags.map((tag) => tagMark(tag, view)),
    // The camera does not see what is outside the image.
    `<path d="M${box[0]} ${box[1]}h${box[2]}v${box[3]}h${-box[2]}zM0 0v${height}h${width}v${-height}z" fill="#343a40" fill-opacity="0.72"/>`,
    `<rect width="${width}" height="${height}" fill="none" stroke="#f8f9fa" stroke-width="4"/>`,
    cross(width / 2, height / 2, line),
    outline(cornersOf(look.grid, look.settings), view, `fill="none" stroke="${colour}" stroke-width="6"`),
    ...(caption.detected && !hindrance ? arrows(look) : []),
    pointer(look, colour, line),
    sentence(stateOf(look), { x: line - border, y: height + border + line }, line, colour),
    sentence(
      `set_pose: ${caption.message ?? 'no pose was told yet'}`,
      { x: line - border, y: height + border + 2.6 * line },
      line,
      '#f8f9fa',
    ),
    '</svg>',
  ].join('\n')
}

function stateOf({ grid, hindrance }: CellSnapshot): string {
  if (hindrance) return sentenceOf(hindrance)
  const { metres, degrees } = steepness(grid)
  return `Grid in view: ${metres.toFixed(2)} m away, seen at ${degrees.toFixed(0)} degrees`
}

/** White with black squares; under a cloth if it is covered. */
function board({ grid, settings, view, hindrance }: CellSnapshot): string[] {
  if (hindrance?.kind === 'covered') return [outline(cornersOf(grid, settings), view, 'fill="#495057"')]
  const { grid_width: width, grid_height: height } = settings
  const { rows, columns } = squaresOf(settings)
  const [x, y] = [width / columns, height / rows]
  const square = (column: number, row: number): Vector[] => {
    const middle = { x: (column + 0.5) * x - width / 2, y: (row + 0.5) * y - height / 2, z: 0 }
    return cornersOf(composed(grid, at(middle)), { grid_width: x, grid_height: y })
  }
  const black = Array.from({ length: rows * columns }, (_, index) => [
    index % columns,
    Math.floor(index / columns),
  ])
    .filter(([column = 0, row = 0]) => (column + row) % 2 === 0)
    .map(([column = 0, row = 0]) => outline(square(column, row), view, 'fill="#212529"'))
  return [outline(cornersOf(grid, settings), view, 'fill="#f8f9fa"'), ...black]
}

function tagMark({ id, size, pose }: CellTag, view: View): string {
  const edge = { grid_width: size, grid_height: size }
  const inner = { grid_width: size / 2, grid_height: size / 2 }
  if (pose.position.z < nearestDrawn) return ''
  const { x, y } = view.pixel(pose.position)
  const text = Math.max(10, (view.focal * size) / pose.position.z / 5)
  const below = y + (0.5 * view.focal * size) / pose.position.z + text * 1.2
  return [
    outline(cornersOf(pose, edge), view, 'fill="#212529"'),
    outline(cornersOf(pose, inner), view, 'fill="#f8f9fa"'),
    `<text x="${round(x)}" y="${round(below)}" font-size="${round(text)}" text-anchor="middle" fill="#f8f9fa">${escaped(id)}</text>`,
  ].join('')
}

/** x of the detected grid in red, y in green, as robots show them. */
function arrows({ grid, settings, view }: CellSnapshot): string[] {
  const length = settings.grid_height / 2
  return (['x', 'y'] as const).map((axis) => {
    const along = axisOf(grid, axis)
    const { x, y, z } = grid.position
    const end = { x: x + length * along.x, y: y + length * along.y, z: z + length * along.z }
    const [from, to] = [view.pixel(grid.position), view.pixel(end)]
    const colour = axis === 'x' ? '#e03131' : '#2f9e44'
    return `<line x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}" stroke="${colour}" stroke-width="8" stroke-linecap="round"/>`
  })
}

/** At the edge of the image, pointing to a grid whose centre is outside it. */
function pointer({ grid, view }: CellSnapshot, colour: string, size: number): string {
  const { width, height } = view
  if (view.inImage(grid.position)) return ''
  const { x, y } = grid.position
  const reach = Math.min((width / 2 - size) / Math.abs(x), (height / 2 - size) / Math.abs(y))
  if (!Number.isFinite(reach)) return ''
  const [left, top] = [round(width / 2 + reach * x), round(height / 2 + reach * y)]
  const angle = round((Math.atan2(y, x) * 180) / Math.PI)
  const shape = `M${-size} ${-size}L${size} 0L${-size} ${size}z`
  return `<path d="${shape}" transform="translate(${left} ${top}) rotate(${angle})" fill="${colour}"/>`
}

/** Empty if a part of it is behind the camera. */
function outline(corners: readonly Vector[], view: View, look: string): string {
  if (corners.some(({ z }) => z < nearestDrawn)) return ''
  const points = corners.map((corner) => inPoints(view.pixel(corner))).join(' ')
  return `<polygon points="${points}" ${look} stroke-linejoin="round"/>`
}

const at = (position: Vector): Pose => ({ position, orientation: identity().orientation })

const inPoints = ({ x, y }: Pixel) => `${round(x)},${round(y)}`

const round = (pixels: number) => Math.round(10 * pixels) / 10

const rectangle = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`

const cross = (x: number, y: number, size: number) =>
  `<path d="M${x - size} ${y}h${2 * size}M${x} ${y - size}v${2 * size}" stroke="#f8f9fa" stroke-opacity="0.6" stroke-width="2"/>`

const sentence = (text: string, { x, y }: Pixel, size: number, colour: string) =>
  `<text x="${x}" y="${round(y)}" font-size="${size}" fill="${colour}">${escaped(text)}</text>`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
