import type { Disparity } from '../../../lib/images/depth'

/** A disparity picture of a scene: f 540 px, baseline 0.16 m, 16 steps to a pixel. */
export function disparityOfScene(
  width: number,
  height: number,
  /** Depth in metres of a pixel; undefined was not measured. */
  depth: (column: number, row: number) => number | undefined,
): Disparity {
  const data = Buffer.alloc(2 * width * height)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const metres = depth(column, row)
      const stored = metres === undefined ? 0 : Math.round((540 * 0.16) / metres / 0.0625)
      data.writeUInt16LE(stored, 2 * (row * width + column))
    }
  return disparity(width, height, data)
}

/** A disparity picture of stored values. */
export const disparity = (width: number, height: number, data: Buffer): Disparity => ({
  width,
  height,
  encoding: 'mono16',
  data,
  focalLength: 540,
  principalPoint: { u: width / 2, v: height / 2 },
  scale: 0.0625,
  offset: 0,
  invalid: 0,
  baseline: 0.16,
})
