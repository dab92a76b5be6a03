import { crc32, deflateSync } from 'node:zlib'
import { readPng } from '../images/support/read-png'

interface Frame {
  /** A screenshot: PNG with three channels of eight bits, all of one size. */
  png: Buffer
  /** Milliseconds. */
  shownFor: number
}

interface Part {
  x: number
  y: number
  width: number
  height: number
}

/** Frames as one picture that moves, without end: an animated PNG. Programs that know none show its first frame. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const pictures = frames.map(({ png, shownFor }) => ({ ...decoded(png), shownFor }))
  const [first] = pictures
  if (!first) throw new Error('an animation of no frames')
  const { width, height } = first
  let sequence = 0
  const chunks = [chunk('IHDR', numbers([width, 4], [height, 4], [8, 1], [2, 1], [0, 3]))]
  const shown: { part: Part; rows: Buffer; shownFor: number }[] = []
  let before: Uint8Array | undefined
  for (const { values, shownFor } of pictures) {
    const part = before ? changed(before, values, width, height) : { x: 0, y: 0, width, height }
    const last = shown.at(-1)
    if (!part && last) last.shownFor += shownFor
    if (part) shown.push({ part, rows: rowsOf(values, part, width), shownFor })
    before = values
  }
  chunks.push(chunk('acTL', numbers([shown.length, 4], [0, 4])))
  for (const [index, { part, rows, shownFor }] of shown.entries()) {
    const place = [part.width, part.height, part.x, part.y].map((value) => [value, 4] as const)
    chunks.push(
      chunk('fcTL', numbers([sequence++, 4], ...place, [Math.round(shownFor), 2], [1000, 2], [0, 1], [0, 1])),
    )
    const data = deflateSync(rows, { level: 9 })
    chunks.push(
      index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers([sequence++, 4]), data])),
    )
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function decoded(png: Buffer) {
  const { width, height, channels, depth, values } = readPng(png)
  if (channels !== 3 || depth !== 8) throw new Error('a frame needs three channels of eight bits')
  return { width, height, values: Uint8Array.from(values) }
}

/** The smallest part that contains all changes; undefined if there are none. */
function changed(one: Uint8Array, other: Uint8Array, width: number, height: number): Part | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] === other[at]) continue
    const pixel = Math.floor(at / 3)
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** Rows as differences from the row above, which suits pages: most of their lines repeat. */
function rowsOf(values: Uint8Array, part: Part, width: number): Buffer {
  const length = part.width * 3
  const rows = Buffer.alloc((length + 1) * part.height)
  for (let row = 0; row < part.height; row += 1) {
    const from = ((part.y + row) * width + part.x) * 3
    rows[row * (length + 1)] = 2
    for (let at = 0; at < length; at += 1) {
      const above = row > 0 ? (values[from + at - width * 3] ?? 0) : 0
      rows[row * (length + 1) + 1 + at] = (values[from + at] ?? 0) - above
    }
  }
  return rows
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([numbers([data.length, 4]), named, numbers([crc32(named), 4])])
}

/** Values and their length in bytes. */
function numbers(...values: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntBE(value, 0, bytes)
      return buffer
    }),
  )
}
