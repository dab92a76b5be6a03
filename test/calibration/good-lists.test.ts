import should from 'should'
import { inPicture, listInPictures } from '../../bench/support/list-pictures'
import { mistakeInPoses } from '../../lib/calibration'
import {
  angleOf,
  conjugated,
  degrees,
  ofRotationVector,
  product,
  radians,
  type HandEyeObservation,
} from '../../lib/robotics'
import { gridAt } from '../../bench/support/grid-pictures'

/** Many more in the long run. */
const seeds = Array.from({ length: process.env.CELLSIGHT_LONG ? 300 : 3 }, (_, seed) => seed)

describe('a list of poses, seen in pictures', function () {
  this.timeout(process.env.CELLSIGHT_LONG ? 1_800_000 : 60_000)
  let lists: readonly HandEyeObservation[][] = []
  before(() => {
    lists = seeds.map((seed) => listInPictures(seed))
  })

  const suspect = (list: readonly HandEyeObservation[]) => mistakeInPoses(list, { robotMounted: true })

  it('is not suspected where nothing is wrong, although a grid that faces the camera shows its tilt badly', () => {
    for (const list of lists) (suspect(list) === undefined).should.be.true()
  })

  /** In the given pose; the first faces the camera. */
  const mistakes: Readonly<Record<string, (list: HandEyeObservation[], at: number) => void>> = {
    '5 mm': (list, at) => {
      const { robot, ...seen } = list[at] as HandEyeObservation
      const position = { ...robot.position, x: robot.position.x + 0.003, y: robot.position.y - 0.004 }
      list[at] = { ...seen, robot: { ...robot, position } }
    },
    '1°': (list, at) => {
      const { robot, ...seen } = list[at] as HandEyeObservation
      const orientation = product(robot.orientation, ofRotationVector({ x: radians(1), y: 0, z: 0 }))
      list[at] = { ...seen, robot: { ...robot, orientation } }
    },
    'a wrong digit': (list, at) => {
      const { robot, ...seen } = list[at] as HandEyeObservation
      list[at] = { ...seen, robot: { ...robot, position: { ...robot.position, z: robot.position.z + 0.01 } } }
    },
    'a wrong digit of decimetres': (list, at) => {
      const { robot, ...seen } = list[at] as HandEyeObservation
      list[at] = { ...seen, robot: { ...robot, position: { ...robot.position, x: robot.position.x + 0.1 } } }
    },
    'the pose of the next': (list, at) => {
      const { robot } = list[(at + 1) % list.length] as HandEyeObservation
      list[at] = { ...(list[at] as HandEyeObservation), robot }
    },
  }
  for (const [name, make] of Object.entries(mistakes))
    it(`is suspected where one pose is wrong: ${name}`, () => {
      for (const [seed, good] of lists.entries()) {
        const at = (7 * seed) % good.length
        const list = [...good]
        make(list, at)
        const found = suspect(list)
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
