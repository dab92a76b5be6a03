import should from 'should'
import {
  angleOf,
  conjugated,
  degrees,
  distance,
  product,
  radians,
  ofRotationVector,
  type Pose,
} from '../../../lib/robotics'
import { findGrid, gridPattern, isSymmetric, patternMistake } from '../../../lib/images/grid'
import {
  covered,
  defocused,
  distorted,
  gridAt,
  patches,
  pictureOf,
  randomView,
  smallLens,
  stageWith,
  usualLens,
  usualPattern,
  warped,
  withGlare,
  type CameraPicture,
} from '../../../bench/support/grid-pictures'
import { seededRandom } from '../../../virtual-device/values'
import { sceneOf, SceneSettings } from '../../../virtual-device/detection/scene'
import { sceneStage } from '../../../virtual-device/images/stage'
import { Value } from '../../../lib/typebox'

/** Many more in the long run. */
const longRun = (usual: number, long: number) => (process.env.CELLSIGHT_LONG ? long : usual)

const straight = gridAt({ tilt: 20, azimuth: 40, roll: 15, distance: 0.7 })
const turnedFrom = (one: Pose, other: Pose) =>
  degrees(angleOf(product(conjugated(one.orientation), other.orientation)))

async function found(picture: CameraPicture, near?: Pose, pattern = usualPattern) {
  const answer = await findGrid(picture, pattern, near && { near })
  if (!answer.found) throw new Error(`not found: ${JSON.stringify(answer)}`)
  return answer
}

/** Metres and degrees. */
async function near(picture: CameraPicture, truth: Pose, limits = { metres: 0.0003, degrees: 0.1 }) {
  const grid = await found(picture, truth)
  distance(grid.pose.position, truth.position).should.be.below(limits.metres)
  turnedFrom(grid.pose, truth).should.be.below(limits.degrees)
  return grid
}

describe('a calibration grid in a picture', function () {
  this.timeout(longRun(120_000, 1_800_000))

  it('is found from all sides, tilted by up to 60°', async () => {
    const random = seededRandom(11)
    for (let count = 0; count < longRun(12, 200); count++) {
      const grid = randomView(random, { tilt: 60, nearest: 0.45, farthest: 1 }, usualPattern, smallLens)
      const { corners, ofCorners } = await near(
        pictureOf(stageWith(grid), smallLens, { seed: count }),
        grid,
        {
          metres: 0.001,
          degrees: 0.3,
        },
      )
      corners.should.be.aboveOrEqual(0.9 * ofCorners)
    }
  })

  it('is measured to hundredths of a millimetre and a degree', async () => {
    const { error, corners } = await near(pictureOf(stageWith(straight)), straight, {
      metres: 0.0001,
      degrees: 0.03,
    })
    corners.should.equal(96)
    error.should.be.below(0.1)
  })

  it('comes with the uncertainty that it has', async () => {
    const random = seededRandom(5)
    const ratios: number[] = []
    for (let count = 0; count < longRun(12, 200); count++) {
      const grid = randomView(random, { tilt: 50, nearest: 0.4, farthest: 0.7 }, usualPattern, smallLens)
      const { pose, uncertainty } = await found(pictureOf(stageWith(grid), smallLens, { seed: count }), grid)
      ratios.push(turnedFrom(pose, grid) / (Math.sqrt(3) * uncertainty.degrees))
      distance(pose.position, grid.position).should.be.below(
        6 * Math.hypot(uncertainty.across, uncertainty.across, uncertainty.along),
      )
    }
    const rms = Math.sqrt(ratios.reduce((sum, ratio) => sum + ratio * ratio, 0) / ratios.length)
    rms.should.be.within(0.5, 1.6)
  })

  it('is found when it is small, dark, noisy, overexposed or blurred', async () => {
    const far = gridAt({ tilt: 25, azimuth: 100, roll: 10, distance: 1.6 })
    const rough = { metres: 0.004, degrees: 0.6 }
    await near(pictureOf(stageWith(far), smallLens), far, rough)
    await near(pictureOf(stageWith(straight), smallLens, { brightness: 0.06 }), straight, rough)
    await near(pictureOf(stageWith(straight), smallLens, { gain: 18 }), straight, rough)
    await near(pictureOf(stageWith(straight), smallLens, { brightness: 1.3 }), straight, rough)
    await near(pictureOf(stageWith(straight), smallLens, { blur: { x: 5, y: 2 } }), straight, rough)
    await near(defocused(pictureOf(stageWith(straight), usualLens), 4), straight, rough)
  })

  it('is found behind a cable and under glare', async () => {
    const cable = covered(pictureOf(stageWith(straight)), { x: 560, y: 0, width: 35, height: 960 })
    const { corners, ofCorners } = await near(cable, straight)
    corners.should.be.below(ofCorners)
    const burnt = withGlare(pictureOf(stageWith(straight)), { x: 680, y: 500, radius: 60 })
    ;(await near(burnt, straight)).corners.should.be.below(ofCorners)
  })

  it('is not guessed where an edge of it is hidden or outside', async () => {
    const hidden = covered(pictureOf(stageWith(straight)), { x: 0, y: 0, width: 520, height: 960 })
    const { reason, ...told } = (await findGrid(hidden, usualPattern)) as { reason: string; columns: number }
    reason.should.equal('partly')
    told.columns.should.be.below(13)
    const outside = gridAt({ tilt: 0, azimuth: 0, roll: 0, distance: 0.7, aside: { x: 0.5, y: 0 } })
    should(await findGrid(pictureOf(stageWith(outside)), usualPattern)).match({
      found: false,
      reason: 'partly',
    })
  })

  it('is not a coarse texture, which has crossings in rows too', async () => {
    const cover = { ...stageWith(straight), prints: [] }
    for (let seed = 0; seed < longRun(20, 200); seed++)
      should(await findGrid(pictureOf(cover, smallLens, { seed }), usualPattern)).eql({
        found: false,
        reason: 'nothing',
      })
  })

  it('is told apart from a checkerboard of other squares', async () => {
    const picture = pictureOf(stageWith(straight), smallLens)
    should(await findGrid(picture, gridPattern(0.26, 0.18, 7))).match({ found: false, reason: 'other' })
    should(await findGrid(picture, gridPattern(0.2, 0.18))).match({
      found: false,
      reason: 'other',
      columns: 13,
      rows: 9,
    })
  })

  for (const k1 of [-0.05, -0.15, -0.25, -0.35])
    it(`is found in a picture that is not rectified, with a distortion of ${k1}`, async () => {
      const random = seededRandom(Math.round(-100 * k1))
      for (let count = 0; count < longRun(4, 40); count++) {
        const grid = randomView(random, { tilt: 50, nearest: 0.4, farthest: 0.6 }, usualPattern, smallLens)
        const picture = distorted(pictureOf(stageWith(grid), smallLens, { seed: count }), k1)
        const limits = { metres: 0.004, degrees: 0.6 }
        const { corners, ofCorners } = await near(picture, grid, limits)
        corners.should.be.aboveOrEqual(0.9 * ofCorners)
      }
    })

  it('says by how much the picture is distorted, and nothing of a rectified one', async () => {
    const bent = await found(distorted(pictureOf(stageWith(straight), smallLens), -0.3), straight)
    should(bent.distortion?.pixels).be.within(0.5, 30)
    should((await found(pictureOf(stageWith(straight), smallLens), straight)).distortion).be.undefined()
  })

  it('is told apart from a bent board, and from one of other proportions', async () => {
    const flat = pictureOf(stageWith(gridAt({ tilt: 0, azimuth: 0, roll: 0, distance: 0.5 })), smallLens)
    const wavy = warped(flat, (x, y) => ({ x: x + 3 * Math.sin(y / 30), y: y + 3 * Math.sin(x / 40) }))
    const answer = await findGrid(wavy, usualPattern)
    should(answer).match({ found: false, reason: 'bent' })
    const wide = { ...usualPattern, width: 1.03 * usualPattern.width }
    should(await findGrid(flat, wide)).match({ found: false, reason: 'proportions' })
  })

  it('may have the shape of a device with colour, 16 bits or padded rows', async () => {
    const picture = pictureOf(stageWith(straight), smallLens)
    const { width, height, data } = picture
    const rgb = Uint8Array.from({ length: 3 * data.length }, (_, at) => data[Math.floor(at / 3)] ?? 0)
    const wide = Uint8Array.from({ length: 2 * data.length }, (_, at) => (at % 2 ? (data[at >> 1] ?? 0) : 7))
    const padded = new Uint8Array((width + 5) * height)
    for (let row = 0; row < height; row++)
      padded.set(data.subarray(row * width, (row + 1) * width), row * (width + 5))
    for (const other of [
      { ...picture, encoding: 'rgb8', data: rgb },
      { ...picture, encoding: 'mono16', data: wide },
      { ...picture, step: width + 5, data: padded },
    ])
      await near(other, straight, { metres: 0.0005, degrees: 0.15 })
  })

  it('stops when nobody waits for it any more', () =>
    findGrid(pictureOf(stageWith(straight)), usualPattern, {}, () => true).should.be.rejectedWith({
      name: 'AbortError',
    }))

  it('is not looked for by impossible numbers', () => {
    should(() => gridPattern(0, 0.18)).throw(RangeError)
    should(() => gridPattern(NaN, 0.18)).throw(RangeError)
    should(() => gridPattern(5, 0.18)).throw(RangeError)
    should(() => gridPattern(0.26, 0.18, 2.5)).throw(RangeError)
  })

  it('shows which setting is wrong where another checkerboard is seen', async () => {
    const picture = pictureOf(stageWith(straight), smallLens)
    for (const [pattern, mistake] of [
      [gridPattern(0.18, 0.26), { kind: 'swapped' }],
      [gridPattern(0.26, 0.18, 7), { kind: 'rows', rows: 9 }],
      [gridPattern(0.26, 0.18, 12), { kind: 'rows', rows: 9 }],
      [gridPattern(0.2, 0.18), { kind: 'size' }],
    ] as const) {
      const miss = await findGrid(picture, pattern)
      if (miss.found || !('columns' in miss)) throw new Error(JSON.stringify(miss))
      patternMistake(pattern, miss).should.deepEqual(mistake)
    }
  })
})

describe('half a turn of a grid without a marked corner', () => {
  const turned = (angle: number): Pose => ({
    position: straight.position,
    orientation: product(straight.orientation, ofRotationVector({ x: 0, y: 0, z: radians(angle) })),
  })

  it('is settled by the pose that is expected, as far as 80° away from it', async () => {
    should(isSymmetric(usualPattern)).be.true()
    for (const roll of [0, 80, -80, 180]) {
      const expected = turned(roll)
      const other = turned(roll === 180 ? 180 : 0)
      const { pose, isEitherWay } = await found(pictureOf(stageWith(straight), smallLens), expected)
      turnedFrom(pose, other).should.be.below(0.3)
      isEitherWay.should.be.false()
    }
  })

  it('is said to be open if nothing is expected', async () => {
    ;(await found(pictureOf(stageWith(straight), smallLens))).isEitherWay.should.be.true()
  })

  it('shows itself if one corner has another colour', async () => {
    const marked = gridPattern(0.28, 0.18)
    should(isSymmetric(marked)).be.false()
    const upsideDown = turned(180)
    for (const truth of [straight, upsideDown]) {
      const picture = pictureOf(stageWith(truth, marked), smallLens)
      const { pose, isEitherWay } = await found(picture, undefined, marked)
      turnedFrom(pose, truth).should.be.below(0.3)
      isEitherWay.should.be.false()
    }
  })
})

describe('pictures without a grid', function () {
  this.timeout(longRun(120_000, 1_800_000))

  const settings = Value.Create(SceneSettings)
  const answerTo = async (picture: CameraPicture) => (await findGrid(picture, usualPattern)).found

  it('show none: bins, texture, noise', async () => {
    for (let seed = 1; seed <= longRun(12, 300); seed++) {
      ;(await answerTo(pictureOf(sceneStage(sceneOf(settings, seed)), smallLens, { seed }))).should.be.false()
      ;(await answerTo(patches(smallLens, 1 + (seed % 30), seed))).should.be.false()
    }
  })

  it('show none: only the tags beside it, or a grid under a cloth', async () => {
    const { bodies, prints } = stageWith(straight)
    ;(await answerTo(pictureOf({ bodies, prints: prints.slice(1) }, smallLens))).should.be.false()
    ;(await answerTo(pictureOf({ bodies, prints: [] }, smallLens))).should.be.false()
  })
})
