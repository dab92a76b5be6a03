import should from 'should'
import { gridAt, pictureOf, stageWith, usualLens, usualPattern } from '../../bench/support/grid-pictures'
import { findGrid } from '../../lib/images/grid'
import { gridCorners, overlayOf } from '../../lib/overlay'

/** Pixels. */
const exact = 2

describe('the overlay of a recognised calibration grid', () => {
  it('has the corners where the cell has them, within two pixels', async () => {
    const { width, height, focal, u, v } = usualLens
    const camera = { width, height, focalLength: focal, principalPoint: { u, v } }
    for (const [tilt, azimuth, roll] of [
      [0, 0, 0],
      [20, 40, 15],
      [45, 200, -60],
    ] as const) {
      const truth = gridAt({ tilt, azimuth, roll, distance: 0.7 })
      const answer = await findGrid(pictureOf(stageWith(truth), usualLens), usualPattern, { near: truth })
      if (!answer.found) throw new Error(JSON.stringify(answer))
      const grid = gridCorners(usualPattern, answer.pose, camera)
      const { figures } = overlayOf({}, camera, { grid })
      const wanted = gridCorners(usualPattern, truth, camera)
      should(figures.length).equal((usualPattern.columns - 1) * (usualPattern.rows - 1))
      figures.forEach(({ lines }, index) => {
        const [drawn] = lines[0]?.points ?? []
        const real = wanted[index]
        should(Math.hypot((drawn?.u ?? NaN) - (real?.u ?? 0), (drawn?.v ?? NaN) - (real?.v ?? 0))).be.below(
          exact,
        )
      })
    }
  })

  it('meets the corners in the picture itself: black and white squares cross there', async () => {
    const truth = gridAt({ tilt: 10, azimuth: 30, roll: 5, distance: 0.6 })
    const picture = pictureOf(stageWith(truth), usualLens)
    const answer = await findGrid(picture, usualPattern, { near: truth })
    if (!answer.found) throw new Error(JSON.stringify(answer))
    const [first, second] = gridCorners(usualPattern, answer.pose, picture)
    if (!first || !second) throw new Error('no corners')
    // Two diagonal neighbours of a corner are of one colour, the other two of the other.
    const across = { u: (second.u - first.u) / 4, v: (second.v - first.v) / 4 }
    const down = { u: -across.v, v: across.u }
    for (const corner of gridCorners(usualPattern, answer.pose, picture)) {
      const grey = (side: number, up: number) =>
        picture.data[
          Math.round(corner.v + side * across.v + up * down.v) * picture.width +
            Math.round(corner.u + side * across.u + up * down.u)
        ] ?? 0
      const [one, other] = [grey(1, 1) + grey(-1, -1), grey(1, -1) + grey(-1, 1)]
      should(Math.abs(one - other)).be.above(60)
    }
  })
})
