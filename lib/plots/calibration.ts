import { composed, inverted, type Pose, product, rotated, conjugated, degrees } from '../robotics/pose'
import { Canvas, type PlotOptions, plotTexts } from './canvas'

/** The poses of a running hand-eye calibration, in the robot's frame, metres. */
export interface CoveragePoses {
  /** Recorded poses with their numbers, in the order of recording; the first one is the centre of the plot. */
  recorded: readonly { number: number; pose: Pose }[]
  /** Poses at which the grid was not recognised. */
  unseen?: readonly Pose[]
  /** Planned poses, or those that would complete the set. */
  missing?: readonly Pose[]
}

/** A pose relative to the first one. */
interface PoseSeen {
  /** Tilt of the hand's z axis, degrees: to the right and upwards in the plot. */
  tilt: { x: number; y: number }
  /** Turn about the hand's z axis, degrees. */
  turn: number
  /** Along the hand's z axis at the first pose, millimetres. */
  distance: number
}

const [coverageWidth, coverageHeight] = [400, 300]
/** Centre and radius of the tilts. */
const dial = { x: 122, y: 128, radius: 104 }
const tilts = [45, 90, 180] // end of the scale, degrees: the first that is sufficient
const scales = { top: 48, bottom: 228, turn: 292, distance: 358 }
const mark = 9

export function seenFromFirst(first: Pose, pose: Pose): PoseSeen {
  const turned = product(conjugated(first.orientation), pose.orientation)
  const z = rotated({ x: 0, y: 0, z: 1 }, turned)
  const flat = Math.hypot(z.x, z.y)
  const tilt = degrees(Math.atan2(flat, z.z))
  const along = flat > 1e-9 ? { x: z.x / flat, y: z.y / flat } : { x: 0, y: 0 }
  const half = degrees(2 * Math.atan2(turned.z, turned.w))
  return {
    tilt: { x: tilt * along.x, y: tilt * along.y },
    turn: half > 180 ? half - 360 : half < -180 ? half + 360 : half,
    distance: 1000 * composed(inverted(first), pose).position.z,
  }
}

/**
 * How well the poses of a hand-eye calibration cover directions, turns and distances: recorded, failed, and missing.
 * 400 × 300 pixels; readable at that size.
 */
export function coveragePlot(
  { recorded, unseen = [], missing = [] }: CoveragePoses,
  { theme = 'light', language = 'en-US' }: PlotOptions = {},
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const counts = { recorded: recorded.length, unseen: unseen.length, missing: missing.length }
  const title = say('coverage-title', counts)
  const [start] = recorded
  if (!start) {
    canvas.text(coverageWidth / 2, coverageHeight / 2, say('no-poses'), { anchor: 'middle', size: 14 })
    return canvas.svg(coverageWidth, coverageHeight, title)
  }
  const from = (pose: Pose) => seenFromFirst(start.pose, pose)
  const drawn = {
    recorded: recorded.map(({ number, pose }) => ({ text: String(number), ...from(pose) })),
    unseen: unseen.map(from),
    missing: missing.map(from),
  }
  const all = [...drawn.recorded, ...drawn.unseen, ...drawn.missing]
  const mostOf = (least: number, values: number[]) => Math.max(least, ...values.filter(Number.isFinite))
  const farthest = mostOf(
    0,
    all.map(({ tilt }) => Math.hypot(tilt.x, tilt.y)),
  )
  const most = tilts.find((end) => farthest <= end) ?? 180
  const turns = all.map(({ turn }) => Math.abs(turn))
  const mostTurn = mostOf(0, turns) > 90 ? 180 : 90
  const reach = mostOf(
    50,
    all.map(({ distance }) => Math.abs(distance)),
  )
  const mostDistance = 50 * Math.ceil(reach / 50)

  canvas.text(dial.x, 14, say('tilt'), { anchor: 'middle' })
  for (const part of [1 / 3, 2 / 3, 1]) {
    canvas.circle(dial.x, dial.y, part * dial.radius, 'line')
    canvas.text(dial.x + 3, dial.y - part * dial.radius + 12, `${Math.round(part * most)}°`, { size: 11 })
  }
  canvas.line(dial.x - dial.radius, dial.y, dial.x + dial.radius, dial.y, 'line')
  canvas.line(dial.x, dial.y - dial.radius, dial.x, dial.y + dial.radius, 'line')
  scale(canvas, scales.turn, say('turn'), `${mostTurn}°`)
  scale(canvas, scales.distance, say('distance'), `${mostDistance} mm`)

  const placesOf = ({ tilt, turn, distance }: PoseSeen) => [
    [dial.x + (tilt.x / most) * dial.radius, dial.y - (tilt.y / most) * dial.radius] as const,
    [scales.turn, onScale(turn / mostTurn)] as const,
    [scales.distance, onScale(distance / mostDistance)] as const,
  ]
  for (const each of drawn.missing)
    for (const [x, y] of placesOf(each)) canvas.circle(x, y, mark - 1, 'missing', false, '3 2')
  for (const each of drawn.unseen)
    for (const [x, y] of placesOf(each)) {
      canvas.line(x - 5, y - 5, x + 5, y + 5, 'bad')
      canvas.line(x - 5, y + 5, x + 5, y - 5, 'bad')
    }
  for (const each of drawn.recorded)
    for (const [x, y] of placesOf(each)) {
      canvas.circle(x, y, mark, 'good', true)
      canvas.text(x, y + 4, each.text, { colour: 'onMark', anchor: 'middle', size: 11 })
    }
  legend(canvas, [
    ['good', say('recorded', { count: recorded.length })],
    ['bad', say('unseen', { count: unseen.length })],
    ['missing', say('missing', { count: missing.length })],
  ])
  return canvas.svg(coverageWidth, coverageHeight, title)
}

const onScale = (part: number) => (scales.top + scales.bottom) / 2 - (part * (scales.bottom - scales.top)) / 2

function scale(canvas: Canvas, x: number, name: string, end: string): void {
  const { top, bottom } = scales
  canvas.text(x, 14, name, { anchor: 'middle' })
  canvas.text(x, top - 14, `+${end}`, { anchor: 'middle', size: 11 })
  canvas.text(x, bottom + 22, `−${end}`, { anchor: 'middle', size: 11 })
  canvas.line(x, top, x, bottom, 'line')
  for (const y of [top, (top + bottom) / 2, bottom]) canvas.line(x - 6, y, x + 6, y, 'line')
}

function legend(canvas: Canvas, lines: readonly (readonly ['good' | 'bad' | 'missing', string])[]): void {
  lines.forEach(([colour, text], index) => {
    const [x, y] = index === 2 ? [210, 268] : [20, 268 + 20 * index]
    if (colour === 'good') canvas.circle(x, y - 4, 6, 'good', true)
    else if (colour === 'missing') canvas.circle(x, y - 4, 6, 'missing', false, '3 2')
    else {
      canvas.line(x - 5, y - 9, x + 5, y + 1, 'bad')
      canvas.line(x - 5, y + 1, x + 5, y - 9, 'bad')
    }
    canvas.text(x + 14, y, text)
  })
}

/** Deviation of a pose from the common result. */
export interface PoseResidual {
  number: number
  /** Metres, such as `translation` of a `Misfit`. */
  translation: number
  isBad?: boolean
}

/** Appearance of residuals. */
export interface ResidualOptions extends PlotOptions {
  /** Drawn as a line, metres. @default none */
  limit?: number | undefined
}

const [width, height] = [400, 220]
const area = { left: 44, right: 392, top: 34, bottom: 172 }
const mostPoses = 50 // more have no room for a number

/** Residuals of the poses as bars, in millimetres; outliers are red. 400 × 220 pixels; readable at that size. */
export function residualPlot(
  residuals: readonly PoseResidual[],
  { theme = 'light', language = 'en-US', limit }: ResidualOptions = {},
): string {
  const canvas = new Canvas(theme)
  const say = (key: Parameters<typeof plotTexts.say>[0], values = {}) => plotTexts.say(key, values, language)
  const drawn = residuals.filter(({ translation }) => Number.isFinite(translation)).slice(0, mostPoses)
  const bad = drawn.filter(({ isBad }) => isBad)
  const end = niceEnd(1000 * Math.max(1e-5, limit ?? 0, ...drawn.map(({ translation }) => translation)))
  const yOf = (millimetres: number) => area.bottom - (millimetres / end) * (area.bottom - area.top)
  canvas.text(8, 16, say('residual'))
  for (const part of [0, 0.5, 1]) {
    const y = yOf(part * end)
    canvas.line(area.left, y, area.right, y, 'line')
    canvas.text(area.left - 5, y + 4, String(Number((part * end).toPrecision(3))), {
      anchor: 'end',
      size: 12,
    })
  }
  const step = (area.right - area.left) / Math.max(1, drawn.length)
  const every = Math.ceil(drawn.length / 16)
  drawn.forEach(({ number, translation, isBad = false }, index) => {
    const x = area.left + index * step
    const y = yOf(1000 * translation)
    const bar = Math.min(28, 0.7 * step)
    canvas.box(x + (step - bar) / 2, y, bar, Math.max(1, area.bottom - y), isBad ? 'bad' : 'good')
    if (index % every === 0)
      canvas.text(x + step / 2, area.bottom + 16, String(number), { anchor: 'middle', size: 12 })
  })
  canvas.text((area.left + area.right) / 2, area.bottom + 34, say('pose'), { anchor: 'middle' })
  if (limit !== undefined) {
    const y = yOf(1000 * limit)
    canvas.line(area.left, y, area.right, y, 'missing', '6 4')
    const text = say('limit', { limit: Number((1000 * limit).toPrecision(3)) })
    canvas.text(area.right, y - 5, text, { anchor: 'end', colour: 'missing' })
  }
  if (bad.length) {
    const numbers = bad.map(({ number }) => number).join(', ')
    canvas.text(area.right, 16, say('bad', { numbers }), { anchor: 'end', colour: 'bad' })
  }
  return canvas.svg(width, height, say('residuals-title', { poses: drawn.length, bad: bad.length }))
}

/** The next of 1, 2, 5, 10, 20… */
function niceEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((each) => value <= each * power * 1.0001) ?? 10) * power
}
