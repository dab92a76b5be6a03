import type { WireImage } from './image-client'

/** Pixels on each side of the corner that are looked at. */
const reach = 4

/**
 * The corner of a checkerboard near a place, to a fraction of a pixel: from it, every pixel lies along the edge that goes
 * through that pixel, so that the grey levels change across the way to it.
 */
export function cornerNear(
  { data, step }: Pick<WireImage, 'data' | 'step'>,
  place: { x: number; y: number },
): { x: number; y: number } {
  const level = (x: number, y: number) => data[y * step + x] ?? 0
  let { x, y } = place
  for (let round = 0; round < 10; round++) {
    let [a, b, c, d, e] = [0, 0, 0, 0, 0]
    for (let row = Math.round(y) - reach; row <= Math.round(y) + reach; row++)
      for (let column = Math.round(x) - reach; column <= Math.round(x) + reach; column++) {
        const across = (level(column + 1, row) - level(column - 1, row)) / 2
        const down = (level(column, row + 1) - level(column, row - 1)) / 2
        const weight = Math.exp(-((column - x) ** 2 + (row - y) ** 2) / (reach * reach))
        const [xx, xy, yy] = [across * across * weight, across * down * weight, down * down * weight]
        a += xx
        b += xy
        c += yy
        d += xx * column + xy * row
        e += xy * column + yy * row
      }
    const scale = a * c - b * b
    ;[x, y] = [(c * d - b * e) / scale, (a * e - b * d) / scale]
  }
  return { x, y }
}
