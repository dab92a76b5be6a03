import { createRequire } from 'node:module'

interface PlyMesh {
  header: { vertexCount: number }
  attributes: Partial<Record<string, { value: ArrayLike<number> }>>
  indices?: { value: ArrayLike<number> }
}

const { PLYLoader } = createRequire(__filename)('@loaders.gl/ply') as {
  PLYLoader: { parseSync: (file: ArrayBuffer) => PlyMesh }
}

/** The names of the properties by those of the reader, in the order of the file. */
const properties = {
  POSITION: ['x', 'y', 'z'],
  NORMAL: ['nx', 'ny', 'nz'],
  COLOR_0: ['red', 'green', 'blue'],
}

/** Reads the vertices of a PLY file, as text or binary, by an independent implementation. */
export function readPly(file: Buffer): Record<string, number>[] {
  const { attributes } = read(file)
  const named = Object.entries(properties).flatMap(([attribute, names]) => {
    const values = attributes[attribute]?.value
    return values ? [{ values, names }] : []
  })
  const count = (attributes['POSITION']?.value.length ?? 0) / 3
  return Array.from({ length: count }, (_, point) =>
    Object.fromEntries(
      named.flatMap(({ values, names }) =>
        names.map((name, part) => [name, values[3 * point + part] ?? NaN] as const),
      ),
    ),
  )
}

/** The corners of the triangles of a PLY file as numbers of vertices, by the same implementation. */
export const cornersInPly = (file: Buffer): number[] => Array.from(read(file).indices?.value ?? [])

function read(file: Buffer): PlyMesh {
  const bytes = new Uint8Array(file.length)
  bytes.set(file)
  return PLYLoader.parseSync(bytes.buffer)
}
