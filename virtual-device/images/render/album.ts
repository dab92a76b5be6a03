import type { PictureOrder } from '../image-service'
import type { Stage } from '../stage'
import type { ImageSetRequest, SentImage, SentSet } from '../wire'
import { drawBodies, drawPrint, type Eye } from './bodies'
import { mesh } from './depth'
import { asColour, disparityImage, exposed, scale } from './exposed'

/** Views of one stage that are kept: left, right, and one or two sizes of depth. */
const mostViews = 4

/** Takes pictures of a stage. A view is drawn once, until the stage or its size changes. */
export class Album {
  private stage: Stage = { bodies: [], prints: [] }
  private readonly views = new Map<string, Canvas>()

  show(stage: Stage): void {
    this.stage = stage
    this.views.clear()
  }

  /** Everything that somebody wants of the picture, each part made once, and only if it is asked for. */
  take(order: PictureOrder): (wanted: ImageSetRequest) => SentSet {
    const { camera, depth, exposure, seed, taking } = order
    const { baseline } = depth
    const lens = lensOf(camera.width, camera.height, camera.focal)
    const depthLens = lensOf(depth.width, depth.height, camera.focal)
    const grey = (eye: number, salt: number) =>
      once(() => {
        const { light } = this.view(lens, eye)
        return exposed(light, lens.width, { ...exposure, seed: seed + salt })
      })
    const [left, right] = [grey(0, 1), grey(baseline, 2)]
    const [leftColour, rightColour] = [once(() => asColour(left())), once(() => asColour(right()))]
    const measured = once(() => disparityImage(this.view(depthLens, 0), { ...depth, seed }))
    const camerasImage = (grey: () => Uint8Array, colour: () => Uint8Array, color: boolean): SentImage =>
      color ? { ...lens, encoding: 'rgb8', data: colour() } : { ...lens, encoding: 'mono8', data: grey() }

    return (wanted) => ({
      taking,
      ...(wanted.left && { left: camerasImage(left, leftColour, wanted.color) }),
      ...(wanted.right && { right: camerasImage(right, rightColour, wanted.color) }),
      ...(wanted.disparity && {
        disparity: { ...depthLens, encoding: 'mono16', data: measured().raw, scale, baseline },
      }),
      ...(wanted.error && { error: { ...depthLens, encoding: 'mono8', data: measured().error } }),
      ...(wanted.confidence && {
        confidence: { ...depthLens, encoding: 'mono8', data: measured().confidence },
      }),
      ...(wanted.mesh && {
        mesh: mesh(measured(), depthLens, baseline, wanted.meshOptions, { data: left(), ...sizeOf(lens) }),
      }),
    })
  }

  private view(lens: Lens, eye: number): Canvas {
    const key = `${lens.width} ${lens.height} ${lens.focal} ${eye}`
    const known = this.views.get(key)
    if (known) return known
    const [oldest] = this.views.keys()
    if (this.views.size >= mostViews && oldest !== undefined) this.views.delete(oldest)
    const view = viewImage(this.stage, lens, eye)
    this.views.set(key, view)
    return view
  }
}

const sizeOf = ({ width, height }: Lens) => ({ width, height })

/** The result of the first call. */
function once<Thing>(make: () => Thing): () => Thing {
  let made: { thing: Thing } | undefined
  return () => (made ??= { thing: make() }).thing
}

/** Casts a ray through the centre of every pixel; printed edges are averaged over the pixel. */
export function viewImage(stage: Stage, lens: Lens, eye: Eye): Canvas {
  const pixels = lens.width * lens.height
  const image = { lens, depth: new Float32Array(pixels).fill(Infinity), light: new Uint8Array(pixels) }
  drawBodies(image, stage.bodies, eye)
  for (const print of stage.prints) drawPrint(image, print, eye)
  return image
}

/** What an eye sees, before any exposure. */
export interface Canvas {
  lens: Lens
  /** Distance along the camera's axis, metres; Infinity where there is nothing. */
  depth: Float32Array
  /** Reflected light, 0 to 255. */
  light: Uint8Array
}

/** A projection without distortion; pixel coordinates count from the centre of the first pixel. */
export interface Lens {
  width: number
  height: number
  /** Pixels. */
  focal: number
  /** Principal point. */
  u: number
  v: number
}

/** The camera's axis goes through the middle of the image. @param focal length divided by the width */
export const lensOf = (width: number, height: number, focal: number): Lens => ({
  width,
  height,
  focal: focal * width,
  u: (width - 1) / 2,
  v: (height - 1) / 2,
})

/** Colours of a bitmap: 256 times blue, green, red and a byte that is not used. */
type Palette = Uint8Array

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
