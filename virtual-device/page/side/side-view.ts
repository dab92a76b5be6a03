import { composed, inverted, type Pose, type Vector } from '../../../lib/robotics/pose'
import type { CellSnapshot } from '../../cell/cell'
import type { Hand } from '../../cell/hand'
import type { Scene } from '../../detection/scene'
import { axisOf } from '../../detection/vectors'
import type { PipelineView } from '../../images/pipeline-view'
import type { Say } from '../sentences'
import { Drawing } from './drawing'
import { boxOutline, ellipseOutline, hull, pointOf, sideways, type Projection } from './flat'

/** Half the edges of a camera's housing, metres. */
const housing = { x: 0.09, y: 0.025, z: 0.03 }
/** Thickness of an arm's links, and of printed plates, metres. */
const [limb, plate] = [0.07, 0.006]
/** Looks straight down. */
const downwards: Pose = { position: { x: 0, y: 0, z: 0 }, orientation: { w: 0, x: 1, y: 0, z: 0 } }

/** The cell of a pipeline from the side, as an SVG file. @param seconds of the device's clock */
export function sideView(view: PipelineView, hand: Hand | undefined, seconds: number, say: Say): string {
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

/** The middle of the housing, in the camera's frame. */
const behind: Pose = {
  position: { x: 0.05, y: 0, z: -housing.z },
  orientation: { w: 1, x: 0, y: 0, z: 0 },
}

function drawFloor(drawing: Drawing, project: Projection, floor: Pose): void {
  const up = project(axisOf(floor, 'z'))
  drawing.horizon('floor', project(floor.position), -up.x / up.y)
}

/** What is in the picture. */
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

/** @param held where the camera or the grid is that the arm carries */
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
