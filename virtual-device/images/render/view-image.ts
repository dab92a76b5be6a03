import type { Stage } from '../stage/stage'
import { drawBody } from './draw-body'
import { drawPrint } from './draw-print'
import type { Lens } from './lens'
import type { Eye } from './placed'

/** What an eye sees, before any exposure. */
export interface ViewImage {
  lens: Lens
  /** Distance along the camera's axis, metres; Infinity where there is nothing. */
  depth: Float32Array
  /** Reflected light, 0 to 255. */
  light: Uint8Array
}

/** Casts a ray through the centre of every pixel; printed edges are averaged over the pixel. */
export function viewImage(stage: Stage, lens: Lens, eye: Eye): ViewImage {
  const pixels = lens.width * lens.height
  const image = { lens, depth: new Float32Array(pixels).fill(Infinity), light: new Uint8Array(pixels) }
  for (const body of stage.bodies) drawBody(image, body, eye)
  for (const print of stage.prints) drawPrint(image, print, eye)
  return image
}
