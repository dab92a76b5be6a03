/** Reads the vertices of a PLY file by its header, as text or binary; written apart from the code that it checks. */
export function readPly(file: Buffer): Record<string, number>[] {
  const end = file.indexOf('end_header\n')
  const lines = file.toString('latin1', 0, end).split('\n')
  if (lines[0] !== 'ply' || end < 0) throw new Error('no PLY')
  const format = /^format (ascii|binary_little_endian) 1\.0$/.exec(lines[1] ?? '')?.[1]
  const count = Number(/^element vertex (\d+)$/m.exec(lines.join('\n'))?.[1])
  const properties = lines.flatMap((line) => /^property (float|uchar) (\w+)$/.exec(line)?.slice(1, 3) ?? [])
  const body = file.subarray(end + 'end_header\n'.length)
  const named = (values: number[]) =>
    Object.fromEntries(values.map((value, index) => [properties[2 * index + 1] ?? '', value]))

  if (format === 'ascii') {
    const rows = body.toString('latin1').split('\n').slice(0, -1)
    if (rows.length !== count) throw new Error('wrong count')
    return rows.map((row) => named(row.split(' ').map(Number)))
  }
  const types = properties.filter((_, index) => index % 2 === 0)
  let at = 0
  const value = (type: string) => {
    const read = type === 'float' ? body.readFloatLE(at) : (body[at] ?? NaN)
    at += type === 'float' ? 4 : 1
    return read
  }
  const points = Array.from({ length: count }, () => named(types.map(value)))
  if (at !== body.length) throw new Error('wrong length')
  return points
}
