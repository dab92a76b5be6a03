import { composed, type Pose, type Vector } from '../../lib/robotics/pose'
import { type CellSettings, type CellSnapshot, squaresOf } from '../cell/cell'
import { bottomOf, type Scene, solidsOf, wallsOf } from '../detection/scene'
import { seededRandom } from '../values'

/** Metres; poses in the camera's frame. */
export interface Body {
  shape: 'box' | 'ellipsoid'
  /** Half the edge lengths or diameters. */
  half: Vector
  pose: Pose
  /** Reflected share of the light, 0 to 1. */
  albedo: number
}

/** A printed rectangle on a body: x to its right, y down, z into it. */
export interface Print {
  /** Of its centre. */
  pose: Pose
  width: number
  height: number
  columns: number
  rows: number
  /** Albedo of each field, row by row, 0 to 1. */
  fields: readonly number[]
}

/** The camera's view as plain data that can be sent to a thread. */
export interface Stage {
  bodies: readonly Body[]
  prints: readonly Print[]
}

const albedos = { floor: 0.35, bin: 0.55, items: [0.75, 0.62, 0.85, 0.5, 0.7], plate: 0.85, wall: 0.3 }

/** The scene of the detection modules: the same bodies at the same positions. */
export function sceneStage(scene: Scene): Stage {
  const walls = scene.bin ? [...wallsOf(scene.bin), bottomOf(scene.bin)].length - 1 : 0
  const bodies = solidsOf(scene).map((solid, index): Body => {
    if (index === 0) return { ...solid, albedo: albedos.floor }
    if (index <= walls) return { ...solid, albedo: albedos.bin }
    return { ...solid, albedo: albedos.items[index % albedos.items.length] as number }
  })
  return { bodies, prints: scene.tags.map(tagPrint) }
}

const margin = 0.02 // beyond the edges of grid and tags, metres
const thickness = 0.005
const wallAt = 3 // distance of the wall behind the grid, metres

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

/** @param pose of its centre: x to its right, y down, z into it */
function checkerboard(pose: Pose, width: number, height: number): Print {
  const { rows, columns } = squaresOf({ grid_width: width, grid_height: height })
  const fields = Array.from({ length: rows * columns }, (_, index) =>
    ((index % columns) + Math.floor(index / columns)) % 2 === 0 ? black : white,
  )
  return { pose, width, height, columns, rows, fields }
}

const black = 0.04 // albedos of printed paper
const white = 0.85

interface PrintedTag {
  kind: 'april' | 'qr'
  id: string
  /** Edge length of the black border, metres. */
  size: number
  /** White on black. */
  inverted: boolean
  pose: Pose
}

/** Words of the family 36h11, row by row from the top left, white is 1. */
const words36h11 = [
  0xd5d628584n,
  0xd97f18b49n,
  0xdd280910en,
  0xe479e9c98n,
  0xebcbca822n,
  0xf31dab3acn,
] as const

/** With a quiet zone. AprilTags `36h11_0` to `36h11_5` have their own pattern; others only look similar. */
function tagPrint({ kind, id, size, inverted, pose }: PrintedTag): Print {
  const inner = kind === 'qr' ? qrLike(id) : bordered(aprilBits(id))
  const side = Math.sqrt(inner.length)
  const whole = bordered(inner, true)
  const cells = side + 2
  const edge = (size * cells) / side
  const fields = whole.map((isWhite) => (isWhite === !inverted ? white : black))
  return { pose, width: edge, height: edge, columns: cells, rows: cells, fields }
}

function aprilBits(id: string): boolean[] {
  const [, family = '', number = ''] = /^(\d+h\d+)_(\d+)$/.exec(id) ?? []
  const codeWord = family === '36h11' ? words36h11[Number(number)] : undefined
  if (codeWord === undefined) return invented(id, family.startsWith('25') ? 25 : 36)
  return Array.from({ length: 36 }, (_, index) => ((codeWord >> BigInt(35 - index)) & 1n) === 1n)
}

/** The three finder patterns of a QR code of version 2, and random modules. */
function qrLike(id: string): boolean[] {
  const side = 25
  const modules = invented(id, side * side)
  return modules.map((isWhite, index) => {
    const [x, y] = [index % side, Math.floor(index / side)]
    const corners = [
      [x, y],
      [side - 1 - x, y],
      [x, side - 1 - y],
    ] as const
    const corner = corners.find(([across, down]) => across < 8 && down < 8)
    if (!corner) return isWhite
    const ring = Math.max(Math.abs(corner[0] - 3), Math.abs(corner[1] - 3))
    return ring === 2 || ring > 3
  })
}

function invented(id: string, count: number): boolean[] {
  const seed = Buffer.from(id).reduce((sum, byte) => Math.imul(sum, 31) + byte, 7)
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random() < 0.5)
}

/** Square fields with a frame of one field around them, black unless stated. */
function bordered(fields: readonly boolean[], isWhite = false): boolean[] {
  const side = Math.sqrt(fields.length)
  const cells = side + 2
  return Array.from({ length: cells * cells }, (_, index) => {
    const [x, y] = [(index % cells) - 1, Math.floor(index / cells) - 1]
    const inside = x >= 0 && y >= 0 && x < side && y < side
    return inside ? (fields[y * side + x] as boolean) : isWhite
  })
}
