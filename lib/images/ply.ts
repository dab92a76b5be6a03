import { inSlices } from '../kernel/timers'
import type { Cloud } from './cloud'

/** Points in one step of work, below a millisecond. */
const stepPoints = 1 << 11

/** Longest time in ms for which the event loop is held. */
const slice = 3

/** Binary is little-endian: smaller, and read faster by programs; text is for people. */
export type PlyKind = 'binary' | 'text'

interface PlyOptions {
  /** @default 'binary' */
  kind?: PlyKind
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/** Writes a cloud as a PLY file: positions in metres, then normals and colours if it has them. */
export const plyOf = (cloud: Cloud, { kind = 'binary', isOver }: PlyOptions = {}): Promise<Buffer> =>
  inSlices(kind === 'binary' ? binary(cloud) : text(cloud), isOver, slice)

function headerOf({ count, normals, colours }: Cloud, format: string): string {
  const properties = [
    ...['x', 'y', 'z'].map((name) => `float ${name}`),
    ...(normals ? ['nx', 'ny', 'nz'] : []).map((name) => `float ${name}`),
    ...(colours ? ['red', 'green', 'blue'] : []).map((name) => `uchar ${name}`),
  ]
  return [
    'ply',
    `format ${format} 1.0`,
    `element vertex ${count}`,
    ...properties.map((property) => `property ${property}`),
    'end_header\n',
  ].join('\n')
}

function* binary(cloud: Cloud) {
  const { count, positions, normals, colours } = cloud
  const header = headerOf(cloud, 'binary_little_endian')
  const size = 12 + (normals ? 12 : 0) + (colours ? 3 : 0)
  const file = Buffer.allocUnsafe(header.length + count * size)
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  let at = file.write(header, 'latin1')
  const floats = (values: Float32Array, point: number) => {
    for (let axis = 0; axis < 3; axis++, at += 4) view.setFloat32(at, values[point + axis] ?? 0, true)
  }
  for (let index = 0; index < count; index++) {
    if (index % stepPoints === 0) yield
    const point = 3 * index
    floats(positions, point)
    if (normals) floats(normals, point)
    if (colours) for (let part = 0; part < 3; part++) file[at++] = colours[point + part] ?? 0
  }
  return file
}

/** Positions to a hundredth of a millimetre, normals to four digits. */
function* text(cloud: Cloud) {
  const { count, positions, normals, colours } = cloud
  const parts = [Buffer.from(headerOf(cloud, 'ascii'))]
  for (let first = 0; first < count; first += stepPoints) {
    const lines: string[] = []
    for (let index = first; index < Math.min(count, first + stepPoints); index++) {
      const three = (values: ArrayLike<number>, digits: number) =>
        [0, 1, 2].map((part) => (values[3 * index + part] ?? 0).toFixed(digits)).join(' ')
      const line = [three(positions, 5)]
      if (normals) line.push(three(normals, 4))
      if (colours) line.push(three(colours, 0))
      lines.push(`${line.join(' ')}\n`)
    }
    parts.push(Buffer.from(lines.join('')))
    yield
  }
  return Buffer.concat(parts)
}
