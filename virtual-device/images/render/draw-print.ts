import type { Print } from '../stage/stage'
import { cornersOfBox, placed, windowOf, type Eye } from './placed'
import type { Canvas } from './canvas'

/** A print is drawn on what is at most this much nearer: the body it is on, metres. */
const tolerance = 0.002
/** Samples per pixel in each direction, so that edges are exact to a fraction of a pixel. */
const samples = 4

/** Draws a print where nothing is in front of it. Seen from behind, it is not there. */
export function drawPrint(image: Canvas, print: Print, eye: Eye): void {
  const { lens, depth, light } = image
  const flat = { x: print.width / 2, y: print.height / 2, z: 0 }
  const { left, right: end, top, bottom } = windowOf(cornersOfBox(print.pose, flat), eye, lens)
  const { from, right, down, ahead } = placed(print.pose, eye)
  if (from.z >= 0) return
  for (let row = top; row < bottom; row++)
    for (let column = left; column < end; column++) {
      const index = row * lens.width + column
      let [sum, count] = [0, 0]
      for (let sample = 0; sample < samples * samples; sample++) {
        const aside = ((sample % samples) + 0.5) / samples - 0.5
        const below = (Math.floor(sample / samples) + 0.5) / samples - 0.5
        const x = (column + aside - lens.u) / lens.focal
        const y = (row + below - lens.v) / lens.focal
        const at = -from.z / (right.z * x + down.z * y + ahead.z)
        if (!(at > 0 && at < (depth[index] as number) + tolerance)) continue
        const albedo = albedoAt(
          print,
          from.x + at * (right.x * x + down.x * y + ahead.x),
          from.y + at * (right.y * x + down.y * y + ahead.y),
        )
        if (albedo === undefined) continue
        sum += albedo
        count += 1
      }
      if (count === 0) continue
      const share = count / samples ** 2
      light[index] = (1 - share) * (light[index] as number) + (255 * paper * sum) / samples ** 2
    }
}

/** Paper faces the lamp a little less than straight. */
const paper = 0.9

/** @param x @param y metres from the centre; undefined beside the print */
function albedoAt({ width, height, columns, rows, fields }: Print, x: number, y: number): number | undefined {
  const column = Math.floor((x / width + 0.5) * columns)
  const row = Math.floor((y / height + 0.5) * rows)
  if (column < 0 || row < 0 || column >= columns || row >= rows) return undefined
  return fields[row * columns + column]
}
