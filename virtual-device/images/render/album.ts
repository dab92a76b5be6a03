import type { PictureOrder } from '../image-service'
import type { Stage } from '../stage'
import type { ImageSetRequest, SentImage, SentSet } from '../wire'
import { disparityImage, scale, asColour, exposed } from './exposed'
import { drawBodies, drawPrint, type Eye } from './bodies'
import { mesh } from './depth'

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
