import type { Grey } from './grey'
import type { Point } from './saddles'

/** A picture without what the pixels of a sharp edge add: between them, its corners would be found off. */
export interface SmoothPicture extends Omit<Grey, 'data'> {
  data: Int16Array
}

const rounds = 12
/** Pixels by which it moves no further. */
const still = 0.002

/**
 * A corner to a fraction of a pixel: from it, every pixel around lies along the edge that goes through that pixel, so that
 * the grey levels change across the way to it.
 *
 * @param radius of the part of the picture that is looked at, pixels
 * @returns undefined if it moves away or is no corner
 */
export function refined(
  { width, height, data }: SmoothPicture,
  near: Point,
  radius: number,
): Point | undefined {
  let { x, y } = near
  const reach = Math.ceil(radius)
  const spread = 2 / (radius * radius)
  for (let round = 0; round < rounds; round++) {
    const [middle, line] = [Math.round(x), Math.round(y)]
    if (middle - reach < 1 || line - reach < 1 || middle + reach > width - 2 || line + reach > height - 2)
      return undefined
    let [xx, xy, yy, px, py] = [0, 0, 0, 0, 0]
    for (let row = line - reach; row <= line + reach; row++)
      for (let column = middle - reach; column <= middle + reach; column++) {
        const [dx, dy] = [column - x, row - y]
        const apart = dx * dx + dy * dy
        if (apart > radius * radius) continue
        const at = row * width + column
        const across = (data[at + 1] as number) - (data[at - 1] as number)
        const down = (data[at + width] as number) - (data[at - width] as number)
        const weight = Math.exp(-apart * spread)
        const [a, b, c] = [across * across * weight, across * down * weight, down * down * weight]
        xx += a
        xy += b
        yy += c
        px += a * dx + b * dy
        py += b * dx + c * dy
      }
    const scale = xx * yy - xy * xy
    if (!(scale > 1e-6 * (xx + yy) ** 2)) return undefined
    const move = { x: (yy * px - xy * py) / scale, y: (xx * py - xy * px) / scale }
    x += move.x
    y += move.y
    if (Math.hypot(x - near.x, y - near.y) > radius) return undefined
    if (Math.hypot(move.x, move.y) < still) break
  }
  return { x, y }
}
