import type { Print } from '../stage/stage'
import { cornersOfBox, placed, windowOf, type Eye } from './placed'
import type { Canvas } from './canvas'

/** A print is drawn on what is at most this much nearer: the body it is on, metres. */
const tolerance = 0.002
/** Samples per pixel in each direction, so that edges are exact to a fraction of a pixel. */
const samples = 4
/** From the centre of a pixel to its outermost samples, pixels. */
const outermost = 0.5 - 0.5 / samples

/** Draws a print where nothing is in front of it. Seen from behind, it is not there. */
export function drawPrint(image: Canvas, print: Print, eye: Eye): void {
  const { lens, depth, light } = image
  const { width, height, columns, rows, fields } = print
  const flat = { x: width / 2, y: height / 2, z: 0 }
  const { left, right: end, top, bottom } = windowOf(cornersOfBox(print.pose, flat), eye, lens)
  const { from, right, down, ahead } = placed(print.pose, eye)
  if (from.z >= 0) return

  /** The field at a point of the image, and -1 where the print is not seen. */
  const fieldAt = (column: number, row: number, depthThere: number): number => {
    const x = (column - lens.u) / lens.focal
    const y = (row - lens.v) / lens.focal
    const at = -from.z / (right.z * x + down.z * y + ahead.z)
    if (!(at > 0 && at < depthThere + tolerance)) return -1
    const across = Math.floor(((from.x + at * (right.x * x + down.x * y + ahead.x)) / width + 0.5) * columns)
    const along = Math.floor(((from.y + at * (right.y * x + down.y * y + ahead.y)) / height + 0.5) * rows)
    return across < 0 || along < 0 || across >= columns || along >= rows ? -1 : along * columns + across
  }
  for (let row = top; row < bottom; row++)
    for (let column = left; column < end; column++) {
      const index = row * lens.width + column
      const depthThere = depth[index] as number
      const corner = fieldAt(column - outermost, row - outermost, depthThere)
      // A field is convex: what lies between points of it is in it too. Beside the print, no more than a tip of it is lost.
      const isWhole =
        corner === fieldAt(column + outermost, row - outermost, depthThere) &&
        corner === fieldAt(column - outermost, row + outermost, depthThere) &&
        corner === fieldAt(column + outermost, row + outermost, depthThere)
      if (isWhole) {
        if (corner >= 0) light[index] = 255 * paper * (fields[corner] as number)
        continue
      }
      let sum = 0
      let count = 0
      for (let sample = 0; sample < samples * samples; sample++) {
        const aside = ((sample % samples) + 0.5) / samples - 0.5
        const below = (Math.floor(sample / samples) + 0.5) / samples - 0.5
        const field = fieldAt(column + aside, row + below, depthThere)
        if (field < 0) continue
        sum += fields[field] as number
        count += 1
      }
      const share = count / samples ** 2
      light[index] = (1 - share) * (light[index] as number) + (255 * paper * sum) / samples ** 2
    }
}

/** Paper faces the lamp a little less than straight. */
const paper = 0.9
