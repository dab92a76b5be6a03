/** Colours of a bitmap: 256 times blue, green, red and a byte that is not used. */
export type Palette = Uint8Array

const headerBytes = 54
const colourCount = 256

/**
 * A BMP file, which browsers show and which costs no more than a copy.
 * @param data a byte for each pixel, from the top left: the number of its colour
 */
export function bitmap(
  data: Uint8Array,
  { width, height }: { width: number; height: number },
  palette: Palette,
): Uint8Array {
  const row = Math.ceil(width / 4) * 4
  const pixelsAt = headerBytes + palette.length
  const file = Buffer.alloc(pixelsAt + row * height)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(pixelsAt, 10)
  // The header that all programs read, with its length.
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  // Negative: the first row is the upper one.
  file.writeInt32LE(-height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(8, 28)
  file.writeUInt32LE(colourCount, 46)
  file.set(palette, headerBytes)
  for (let line = 0; line < height; line++)
    file.set(data.subarray(line * width, (line + 1) * width), pixelsAt + line * row)
  return file
}

export const greys: Palette = paletteOf((level) => [level, level, level])

/** From near to far: red, yellow, green, cyan, blue. Number 0 is black, for pixels without a measurement. */
export const depthColours: Palette = paletteOf((level) => {
  if (level === 0) return [0, 0, 0]
  const hue = (240 * (level - 1)) / (colourCount - 2)
  const part = (shift: number) => {
    const away = Math.abs((((hue + shift) % 360) + 360) % 360)
    const share = Math.min(1, Math.max(0, 2 - Math.min(away, 360 - away) / 60))
    return Math.round(45 + 195 * share)
  }
  return [part(0), part(-120), part(-240)]
})

function paletteOf(colour: (level: number) => [number, number, number]): Palette {
  const palette = new Uint8Array(4 * colourCount)
  for (let level = 0; level < colourCount; level++) {
    const [red, green, blue] = colour(level)
    palette.set([blue, green, red], 4 * level)
  }
  return palette
}
