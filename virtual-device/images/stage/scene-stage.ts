import { composed, type Pose } from '../../../lib/robotics/pose'
import type { CellSnapshot } from '../../cell/cell'
import type { CellSettings } from '../../cell/cell-settings'
import type { Scene } from '../../detection/scene'
import { bottomOf, solidsOf, wallsOf } from '../../detection/solids'
import { checkerboard } from './checkerboard'
import type { Body, Stage } from './stage'
import { tagPrint } from './tag-print'

const albedos = { floor: 0.35, bin: 0.55, items: [0.75, 0.62, 0.85, 0.5, 0.7], plate: 0.85, wall: 0.3 }

/** The scene of the detection modules: the same bodies, in the same places. */
export function sceneStage(scene: Scene): Stage {
  const walls = scene.bin ? [...wallsOf(scene.bin), bottomOf(scene.bin)].length - 1 : 0
  const bodies = solidsOf(scene).map((solid, index): Body => {
    if (index === 0) return { ...solid, albedo: albedos.floor }
    if (index <= walls) return { ...solid, albedo: albedos.bin }
    return { ...solid, albedo: albedos.items[index % albedos.items.length] as number }
  })
  return { bodies, prints: scene.tags.map(tagPrint) }
}

/** Beyond the edges of grid and tags, metres. */
const margin = 0.02
const thickness = 0.005
/** Distance of the wall behind the grid, metres. */
const wallAt = 3

/** The calibration grid with its tags on a plate, in front of a wall. */
export function gridStage({
  grid,
  tags,
  settings,
  hindrance,
}: Pick<CellSnapshot, 'grid' | 'tags' | 'hindrance'> & {
  settings: Pick<CellSettings, 'grid_width' | 'grid_height'>
}): Stage {
  const { grid_width: width, grid_height: height } = settings
  const below = tags.reduce((most, { size }) => Math.max(most, 0.01 + size), 0)
  const wall: Body = {
    shape: 'box',
    half: { x: 25, y: 25, z: 0.01 },
    pose: inFront({ x: 0, y: 0, z: wallAt + 0.01 }),
    albedo: albedos.wall,
  }
  const plate: Body = {
    shape: 'box',
    half: { x: width / 2 + margin, y: (height + below) / 2 + margin, z: thickness / 2 },
    pose: composed(grid, inFront({ x: 0, y: below / 2, z: thickness / 2 })),
    albedo: hindrance?.kind === 'covered' ? albedos.wall : albedos.plate,
  }
  const prints =
    hindrance?.kind === 'covered'
      ? []
      : [checkerboard(grid, width, height), ...tags.map((tag) => tagPrint({ ...tag, inverted: false }))]
  return { bodies: [wall, plate], prints }
}

const inFront = (position: Pose['position']): Pose => ({ position, orientation: { w: 1, x: 0, y: 0, z: 0 } })
