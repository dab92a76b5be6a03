import type { Pose } from '../../../lib/robotics/pose'
import { seededRandom } from '../../random'
import { black, white } from './checkerboard'
import type { Print } from './stage'

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

/**
 * A tag with its quiet zone. AprilTags `36h11_0` to `36h11_5` have their own pattern; all others one that only looks
 * like theirs, different for each id.
 */
export function tagPrint({ kind, id, size, inverted, pose }: PrintedTag): Print {
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
  const word = family === '36h11' ? words36h11[Number(number)] : undefined
  if (word === undefined) return invented(id, family.startsWith('25') ? 25 : 36)
  return Array.from({ length: 36 }, (_, index) => ((word >> BigInt(35 - index)) & 1n) === 1n)
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
