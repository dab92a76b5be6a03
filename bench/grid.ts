import {
  angleOf,
  composed,
  conjugated,
  degrees,
  distance,
  identity,
  product,
  type Pose,
} from '../lib/robotics'
import { gridSteps } from '../lib/images/grid'
import { sceneOf, SceneSettings } from '../virtual-device/detection/scene'
import { sceneStage } from '../virtual-device/images/stage'
import { seededRandom } from '../virtual-device/values'
import { Value } from '../lib/typebox'
import { quantile, type BenchRow } from './row'
import { gridsOfOpenCv } from './support/grid-opencv'
import {
  covered,
  defocused,
  patches,
  pictureOf,
  randomView,
  stageWith,
  usualLens,
  usualPattern,
  withGlare,
  type CameraPicture,
  type Taking,
} from './support/grid-pictures'

const runs = Number(process.env.GRID_RUNS ?? 60)

interface Found {
  pose: Pose | undefined
  milliseconds: number
}

/** Largest tilt in degrees, distances in metres, and changes of the picture. */
const kinds: readonly {
  name: string
  tilt: number
  nearest: number
  farthest: number
  taking?: Taking
  spoil?: (picture: CameraPicture, seed: number) => CameraPicture
}[] = [
  { name: 'tilted up to 40°', tilt: 40, nearest: 0.45, farthest: 0.8 },
  { name: 'tilted up to 60°', tilt: 60, nearest: 0.45, farthest: 0.8 },
  { name: 'small', tilt: 40, nearest: 1.4, farthest: 2.2 },
  { name: 'gain of 18 dB', tilt: 40, nearest: 0.45, farthest: 0.8, taking: { gain: 18 } },
  { name: 'dark', tilt: 40, nearest: 0.45, farthest: 0.8, taking: { brightness: 0.05 } },
  { name: 'overexposed', tilt: 40, nearest: 0.45, farthest: 0.8, taking: { brightness: 1.4 } },
  { name: 'moved by 6 pixels', tilt: 40, nearest: 0.45, farthest: 0.8, taking: { blur: { x: 5, y: 3 } } },
  { name: 'out of focus', tilt: 40, nearest: 0.45, farthest: 0.8, spoil: (picture) => defocused(picture, 3) },
  {
    name: 'behind a cable',
    tilt: 40,
    nearest: 0.45,
    farthest: 0.8,
    spoil: (picture, seed) => covered(picture, { x: 560 + 5 * (seed % 30), y: 0, width: 16, height: 960 }),
  },
  {
    name: 'under glare',
    tilt: 40,
    nearest: 0.45,
    farthest: 0.8,
    spoil: (picture, seed) => withGlare(picture, { x: 600 + 4 * (seed % 30), y: 480, radius: 60 }),
  },
]

/** Detection of the calibration grid in pictures of the virtual camera, beside both searches of OpenCV. */
export function run(): Promise<BenchRow[]> {
  return Promise.resolve([
    { what: 'pictures behind each line, 1280 x 960', value: runs, unit: 'pictures' },
    ...kinds.flatMap(rowsOf),
    falseAlarms(),
  ])
}

function rowsOf({ name, tilt, nearest, farthest, taking, spoil }: (typeof kinds)[number]): BenchRow[] {
  const random = seededRandom(name.length * 100 + tilt)
  const truths = Array.from({ length: runs }, () => randomView(random, { tilt, nearest, farthest }))
  const pictures = truths.map((grid, seed) => {
    const picture = pictureOf(stageWith(grid), usualLens, { ...taking, seed })
    return spoil ? spoil(picture, seed) : picture
  })
  const ours = pictures.map((picture, index) => ourAnswer(picture, truths[index]))
  const theirs = gridsOfOpenCv(pictures, usualPattern)
  const other = (search: string) => theirs?.map((answers) => answers[search] as Found)
  return [
    ...figures(name, 'ours', ours, truths),
    ...['findChessboardCorners', 'findChessboardCornersSB'].flatMap((search) => {
      const answers = other(search)
      return answers ? figures(name, search, answers, truths) : []
    }),
  ]
}

function ourAnswer(picture: CameraPicture, near: Pose | undefined): Found {
  const started = performance.now()
  const search = gridSteps(picture, usualPattern, near && { near })
  for (;;) {
    const { done, value } = search.next()
    if (!done) continue
    return { pose: value.found ? value.pose : undefined, milliseconds: performance.now() - started }
  }
}

function figures(name: string, who: string, answers: readonly Found[], truths: readonly Pose[]): BenchRow[] {
  const errors = answers.flatMap(({ pose }, index) => {
    const truth = truths[index]
    return pose && truth ? [errorOf(pose, truth)] : []
  })
  const of = (value: 'millimetres' | 'degrees', share: number) =>
    quantile(
      errors.map((each) => each[value]),
      share,
    )
  const rows = [
    { what: `${name}, ${who}: found`, value: (100 * errors.length) / answers.length, unit: '%' },
    { what: `${name}, ${who}: position, median`, value: of('millimetres', 0.5), unit: 'mm' },
    { what: `${name}, ${who}: position, 95 %`, value: of('millimetres', 0.95), unit: 'mm' },
    { what: `${name}, ${who}: rotation, median`, value: of('degrees', 0.5), unit: '°' },
    { what: `${name}, ${who}: rotation, 95 %`, value: of('degrees', 0.95), unit: '°' },
    {
      what: `${name}, ${who}: time, median`,
      value: quantile(
        answers.map(({ milliseconds }) => milliseconds),
        0.5,
      ),
      unit: 'ms',
    },
  ]
  return rows.filter(({ value }) => !Number.isNaN(value))
}

/** The pattern is symmetric by half a turn: the better of both. */
function errorOf(pose: Pose, truth: Pose) {
  const half = composed(pose, { position: identity().position, orientation: { w: 0, x: 0, y: 0, z: 1 } })
  const turn = ({ orientation }: Pose) =>
    degrees(angleOf(product(conjugated(truth.orientation), orientation)))
  return {
    millimetres: 1000 * distance(pose.position, truth.position),
    degrees: Math.min(turn(pose), turn(half)),
  }
}

/** In bins, texture and noise. */
function falseAlarms(): BenchRow {
  const settings = Value.Create(SceneSettings)
  const pictures = Array.from({ length: 4 * runs }, (_, seed) =>
    seed % 2
      ? patches(usualLens, 1 + (seed % 40), seed)
      : pictureOf(sceneStage(sceneOf(settings, seed)), usualLens, { seed }),
  )
  const seen = pictures.filter((picture) => ourAnswer(picture, undefined).pose).length
  return { what: `without a grid, ${pictures.length} pictures: one is seen`, value: seen, unit: 'pictures' }
}
