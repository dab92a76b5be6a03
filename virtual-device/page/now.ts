/** Current contents of the device's own page: the side view of the cell, and pictures of the cameras. */
import type { Device } from '../device/device'
import type { GlanceOrder, GlancePart } from '../images/image-service'
import { PipelineView } from '../images/pipeline-view'
import { caption, type Say, escaped } from './page-html'
import { composed, inverted, type Pose, rotated, type Vector } from '../../lib/robotics/pose'
import type { CellSnapshot, Hand } from '../cell/cell'
import { axisOf } from '../detection/geometry'
import type { Scene } from '../detection/scene'

/** Half the edges of a camera's housing, metres. */
const housing = { x: 0.09, y: 0.025, z: 0.03 }

const [limb, plate] = [0.07, 0.006] // thickness of an arm's links, and of printed plates, metres

/** Looks straight down. */
const downwards: Pose = { position: { x: 0, y: 0, z: 0 }, orientation: { w: 0, x: 1, y: 0, z: 0 } }

/** The cell of a pipeline from the side, as SVG. @param seconds of the device's clock */
function sideView(view: PipelineView, hand: Hand | undefined, seconds: number, say: Say): string {
  const { seen, carriedCamera: carried } = view
  const scene = seen && 'scene' in seen ? seen.scene : undefined
  const cell = seen && 'cell' in seen ? seen.cell : undefined
  // The arm's base, the floor or, with neither, the camera is level.
  const camera = carried?.at(seconds) ?? (scene ? inverted(scene.floor) : downwards)
  const start = hand?.start.position
  const project = sideways(start ? Math.atan2(start.y, start.x) : 0)
  const drawing = new Drawing()
  const place = (pose: Pose) => composed(camera, pose)

  if (scene) drawFloor(drawing, project, place(scene.floor))
  else if (hand) drawing.horizon('floor', { x: 0, y: 0 }, 0)
  const far = scene?.floor.position.z ?? cell?.grid.position.z ?? 1
  drawSight(drawing, project, camera, { ...view.order('camera', seconds, false).camera, far })
  if (scene) drawScene(drawing, project, place, scene, say)
  if (cell) drawGrid(drawing, project, place(cell.grid), cell, say)
  if (hand) {
    const held = carried?.isOnArm === false && cell ? place(cell.grid) : camera
    drawArm(drawing, project, hand, held.position, say)
  }
  const body = boxOutline(project, place(behind), housing)
  drawing.area('camera', body)
  drawing.text(say('side.camera'), rightOf(body))
  return drawing.svg(say('side.title'))
}

const behind: Pose = {
  position: { x: 0.05, y: 0, z: -housing.z },
  orientation: { w: 1, x: 0, y: 0, z: 0 },
}

function drawFloor(drawing: Drawing, project: Projection, floor: Pose): void {
  const up = project(axisOf(floor, 'z'))
  drawing.horizon('floor', project(floor.position), -up.x / up.y)
}

function drawSight(
  drawing: Drawing,
  project: Projection,
  camera: Pose,
  { width, height, focal, far }: { width: number; height: number; focal: number; far: number },
): void {
  const [across, down] = [far / (2 * focal), (far * height) / (2 * focal * width)]
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].map((y) => project(pointOf(camera, { x: x * across, y: y * down, z: far }))),
  )
  drawing.area('sight', hull([project(camera.position), ...corners]))
}

function drawScene(
  drawing: Drawing,
  project: Projection,
  place: (pose: Pose) => Pose,
  { bin, items, tags }: Scene,
  say: Say,
): void {
  for (const { pose, size } of tags)
    drawing.area('print', boxOutline(project, place(pose), { x: size / 2, y: size / 2, z: plate / 2 }))
  const outline = bin && boxOutline(project, place(bin.pose), halfOf(bin.outer))
  if (outline) drawing.area('carrier', outline)
  for (const { curved, pose, size } of items) {
    const drawn = curved ? ellipseOutline : boxOutline
    drawing.area('item', drawn(project, place(pose), halfOf(size)))
  }
  if (!bin || !outline) return
  drawing.area('carrier-edge', outline)
  drawing.text(say('side.carrier'), rightOf(outline))
}

function drawGrid(
  drawing: Drawing,
  project: Projection,
  grid: Pose,
  { settings, hindrance }: CellSnapshot,
  say: Say,
): void {
  const half = { x: settings.grid_width / 2, y: settings.grid_height / 2, z: plate }
  const outline = boxOutline(project, grid, half)
  drawing.area(hindrance ? 'grid unseen' : 'grid', outline)
  drawing.text(say('side.grid'), rightOf(outline))
}

/** @param held position of the camera or grid on the arm */
function drawArm(drawing: Drawing, project: Projection, hand: Hand, held: Vector, say: Say): void {
  const joints = [{ x: 0, y: 0, z: 0 }, ...hand.links().map(({ position }) => position)]
  const points = joints.map(project)
  drawing.line('mount', [points.at(-1) ?? project(held), project(held)])
  drawing.line('arm', points, limb)
  drawing.line('joints', points)
  drawing.text(say('side.arm'), { x: limb, y: limb / 2 })
}

const halfOf = ({ x, y, z }: Vector): Vector => ({ x: x / 2, y: y / 2, z: z / 2 })

const rightOf = (outline: readonly { x: number; y: number }[]) => ({
  x: Math.max(...outline.map(({ x }) => x)) + 0.03,
  y: (Math.max(...outline.map(({ y }) => y)) + Math.min(...outline.map(({ y }) => y))) / 2,
})

const thousandth = (metres: number) => Math.round(1000 * metres)

/** Metres to which the edges of a drawing are rounded, so that it does not shift while something in it moves. */
const step = 0.25

const margin = 0.08

/** A drawing in metres, written as SVG in millimetres; the page colours its classes. */
class Drawing {
  private readonly parts: string[] = []
  private readonly texts: { at: Flat; text: string }[] = []
  private readonly seen: Flat[] = []

  show(...points: readonly Flat[]): void {
    this.seen.push(...points)
  }

  area(name: string, outline: readonly Flat[]): void {
    this.show(...outline)
    this.parts.push(`<polygon class="${name}" points="${listed(outline)}"/>`)
  }

  /** @param width metres; the page sets that of thin lines */
  line(name: string, points: readonly Flat[], width?: number): void {
    this.show(...points)
    const thickness = width === undefined ? '' : ` stroke-width="${thousandth(width)}"`
    this.parts.push(`<polyline class="${name}" points="${listed(points)}"${thickness}/>`)
  }

  /** An infinite line through a point. */
  horizon(name: string, through: Flat, slope: number): void {
    const at = (x: number) => ({ x: through.x + x, y: through.y + x * slope })
    this.show(through)
    this.parts.push(`<polyline class="${name}" points="${listed([at(-10), at(10)])}"/>`)
  }

  text(text: string, at: Flat): void {
    this.texts.push({ at, text })
  }

  svg(title: string): string {
    const xs = this.seen.map(({ x }) => x)
    const ys = this.seen.map(({ y }) => y)
    const left = Math.floor((Math.min(...xs) - margin) / step) * step
    const right = Math.ceil((Math.max(...xs) + margin) / step) * step
    const bottom = Math.floor((Math.min(...ys) - margin) / step) * step
    const top = Math.ceil((Math.max(...ys) + margin) / step) * step
    const [width, height] = [right - left, top - bottom]
    const size = thousandth(0.04 * Math.max(width, height))
    const box = [left, -top, width, height].map(thousandth)
    const texts = this.texts.map(
      ({ at, text }) =>
        `<text x="${thousandth(at.x)}" y="${thousandth(-at.y)}" font-size="${size}">${escaped(text)}</text>`,
    )
    const rule = { x: left + 0.03 * width, y: bottom + 0.03 * height }
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}" role="img">`,
      `<title>${escaped(title)}</title>`,
      ...this.parts,
      `<polyline class="rule" points="${listed([rule, { x: rule.x + step, y: rule.y }])}"/>`,
      `<text x="${thousandth(rule.x)}" y="${thousandth(-rule.y) - size / 2}" font-size="${size}">${thousandth(step)} mm</text>`,
      ...texts,
      '</svg>',
    ].join('')
  }
}

const listed = (points: readonly Flat[]) =>
  points.map(({ x, y }) => `${thousandth(x)},${thousandth(-y)}`).join(' ')

interface Flat {
  x: number
  y: number
}

/** From the cell to the drawing. */
type Projection = (point: Vector) => Flat

/** Seen horizontally. @param azimuth of the line of sight's normal, radians */
const sideways =
  (azimuth: number): Projection =>
  ({ x, y, z }) => ({ x: x * Math.cos(azimuth) + y * Math.sin(azimuth), y: z })

const boxOutline = (project: Projection, pose: Pose, half: Vector): Flat[] =>
  hull(
    [-1, 1].flatMap((x) =>
      [-1, 1].flatMap((y) =>
        [-1, 1].map((z) => project(pointOf(pose, { x: x * half.x, y: y * half.y, z: z * half.z }))),
      ),
    ),
  )

const roundness = 20 // corners of an ellipse that looks round

function ellipseOutline(project: Projection, pose: Pose, half: Vector): Flat[] {
  const centre = project(pose.position)
  const axes = [
    { x: half.x, y: 0, z: 0 },
    { x: 0, y: half.y, z: 0 },
    { x: 0, y: 0, z: half.z },
  ].map((axis) => project(rotated(axis, pose.orientation)))
  return Array.from({ length: roundness }, (_, index) => {
    const angle = (2 * Math.PI * index) / roundness
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    const along = axes.map((axis) => axis.x * x + axis.y * y)
    const reach = Math.hypot(...along) || 1
    const sum = (part: 'x' | 'y') =>
      axes.reduce((total, axis, place) => total + axis[part] * (along[place] ?? 0), 0) / reach
    return { x: centre.x + sum('x'), y: centre.y + sum('y') }
  })
}

const pointOf = (pose: Pose, position: Vector): Vector =>
  composed(pose, { position, orientation: { w: 1, x: 0, y: 0, z: 0 } }).position

function hull(points: readonly Flat[]): Flat[] {
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y)
  const half = (all: readonly Flat[]) => {
    const kept: Flat[] = []
    for (const point of all) {
      for (;;) {
        const [before, last] = kept.slice(-2)
        if (!before || !last || turn(before, last, point) > 0) break
        kept.pop()
      }
      kept.push(point)
    }
    return kept.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

const turn = (a: Flat, b: Flat, c: Flat) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

interface PageNow {
  /** One line: whether the device runs, and what the arm does. */
  state: string
  ready: boolean
  pipelines: string[]
  caption: string
  /** SVG of the cell from the side; empty while the device does not run. */
  side: string
  scenario: Device['scenario']
}

/** @returns undefined if there is no such pipeline */
export function pageNow(device: Device, name: string, say: Say): PageNow | undefined {
  const pipeline = device.pipelines.get(name)
  if (!pipeline) return undefined
  const ready = device.phase === 'ready'
  const view = new PipelineView(device, name, pipeline)
  return {
    state: stateOf(device, say),
    ready,
    pipelines: [...device.pipelines.keys()],
    caption: ready ? caption(view, say) : '',
    side: ready ? sideView(view, device.hand, device.clock.now(), say) : '',
    scenario: device.scenario,
  }
}

function stateOf({ phase, scenario, hand }: Device, say: Say): string {
  const own =
    phase !== 'ready' ? say('state.restarts') : scenario.offline ? say('state.offline') : say('state.runs')
  if (!hand) return own
  const { moves } = hand.truth() as { moves: boolean }
  return `${own} ${say(moves ? 'state.armMoves' : 'state.armStands')}`
}

/** Draws a camera's view as a BMP file; undefined once the drawing thread has ended. */
export type Glance = (order: GlanceOrder) => Promise<Uint8Array | undefined>

const freshFor = 400 // milliseconds for which all viewers share a picture

const widest = 640 // width of a picture, pixels

interface Shown {
  picture: Promise<Uint8Array | undefined>
  /** Monotonic time; undefined while it is being drawn. */
  at?: number
}

/** The pictures of the device's own page: at most two or three a second of each kind, for all viewers together. */
export class Glances {
  private readonly shown = new Map<string, Shown>()
  private readonly stages = new Map<string, string>() // key of the thread's stage, by pipeline

  constructor(
    private readonly device: Device,
    private readonly glance: Glance,
  ) {}

  /** @returns undefined if there is no such pipeline, or while the device does not run */
  picture(pipeline: string, part: GlancePart): Promise<Uint8Array | undefined> {
    const key = `${pipeline} ${part}`
    const last = this.shown.get(key)
    if (last && (last.at === undefined || performance.now() - last.at < freshFor)) return last.picture
    const order = this.order(pipeline, part)
    if (!order) return Promise.resolve(undefined)
    const drawn = () => {
      next.at = performance.now()
    }
    const next: Shown = { picture: this.glance(order).finally(drawn) }
    this.shown.set(key, next)
    return next.picture
  }

  private order(name: string, part: GlancePart): GlanceOrder | undefined {
    const pipeline = this.device.pipelines.get(name)
    if (!pipeline || this.device.phase !== 'ready') return undefined
    const view = new PipelineView(this.device, name, pipeline)
    const { key, stage } = view.stage()
    const isNew = this.stages.get(name) !== key
    this.stages.set(name, key)
    const full = view.order('depth', this.device.clock.now(), false)
    const share = Math.min(1, widest / full.camera.width)
    const size = {
      width: Math.round(full.camera.width * share),
      height: Math.round(full.camera.height * share),
    }
    const { x, y } = full.exposure.blur
    const order = {
      ...full,
      camera: { ...full.camera, ...size },
      depth: { ...full.depth, ...size },
      exposure: { ...full.exposure, blur: { x: x * share, y: y * share } },
    }
    return { part, order, ...(isNew && { stage: stage() }) }
  }
}
