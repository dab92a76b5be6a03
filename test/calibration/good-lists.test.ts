import should from 'should'
import { inPicture, listInPictures, listMistakes, withMistake } from '../../bench/support/list-pictures'
import { mistakeInPoses } from '../../lib/calibration'
import { angleOf, conjugated, degrees, product, type HandEyeObservation } from '../../lib/robotics'
import { gridAt } from '../../bench/support/grid-pictures'

const isLong = Boolean(process.env.CELLSIGHT_LONG)
/** Many more in the long run. */
const seeds = Array.from({ length: isLong ? 300 : 3 }, (_, seed) => seed)

describe('a list of poses, seen in pictures', function () {
  this.timeout(isLong ? 3_600_000 : 60_000)
  let lists: readonly HandEyeObservation[][] = []
  let besideLists: readonly HandEyeObservation[][] = []
  before(() => {
    lists = seeds.map((seed) => listInPictures(seed))
    besideLists = (isLong ? seeds : [0]).map((seed) => listInPictures(seed, false))
  })

  const suspect = (list: readonly HandEyeObservation[]) => mistakeInPoses(list, { robotMounted: true })

  it('is not suspected where nothing is wrong, although a grid that faces the camera shows its tilt badly', () => {
    for (const list of lists) (suspect(list) === undefined).should.be.true()
    for (const list of besideLists)
      (mistakeInPoses(list, { robotMounted: false }) === undefined).should.be.true()
  })

  for (const robotMounted of [true, false])
    for (const [name, wrong] of Object.entries(listMistakes))
      it(`is suspected where one pose is wrong: ${name}, with the camera ${robotMounted ? 'on the robot' : 'beside it'}`, () => {
        for (const [seed, good] of (robotMounted ? lists : besideLists).entries()) {
          const at = (7 * seed) % good.length
          const found = mistakeInPoses(withMistake(good, at, wrong), { robotMounted })
          ;[found?.kind, found?.kind === 'pose' && found.index].should.deepEqual(['pose', at])
        }
      })

  it('is suspected where the first pose is that of the last, by which the others cannot be turned alike', () => {
    const list = [...(lists[0] ?? [])]
    const [first, last] = [list[0], list.at(-1)] as [HandEyeObservation, HandEyeObservation]
    list[0] = { ...first, robot: last.robot }
    list[list.length - 1] = { ...last, robot: first.robot }
    const found = suspect(list)
    should(found?.kind === 'pose' && [0, list.length - 1].includes(found.index)).be.true()
  })

  it('comes with the uncertainty of a grid along the pixels that faces the camera', () => {
    const ratios = seeds.map((seed) => {
      const truth = gridAt({ tilt: 0, azimuth: 0, roll: 0, distance: 0.6 + 0.0007 * (seed % 7) })
      const { pose, uncertainty } = inPicture(truth, seed)
      const off = degrees(angleOf(product(conjugated(pose.orientation), truth.orientation)))
      return off / (Math.sqrt(3) * uncertainty.degrees)
    })
    Math.hypot(...ratios).should.be.below(1.6 * Math.sqrt(ratios.length))
  })
})
