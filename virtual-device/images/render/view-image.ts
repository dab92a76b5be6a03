import type { Stage } from '../stage/stage'
import { drawBodies } from './draw-bodies'
import { drawPrint } from './draw-print'
import type { Canvas } from './canvas'
import type { Lens } from './lens'
import type { Eye } from './placed'

/** Casts a ray through the centre of every pixel; printed edges are averaged over the pixel. */
export function viewImage(stage: Stage, lens: Lens, eye: Eye): Canvas {
  const pixels = lens.width * lens.height
  const image = { lens, depth: new Float32Array(pixels).fill(Infinity), light: new Uint8Array(pixels) }
  drawBodies(image, stage.bodies, eye)
  for (const print of stage.prints) drawPrint(image, print, eye)
  return image
}
