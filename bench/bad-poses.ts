import { mistakeInPoses } from '../lib/calibration'
import { outliers, type HandEyeObservation } from '../lib/robotics'
import type { BenchRow } from './row'
import { cornerSet } from './support/corner-noise'
import { listInPictures, listMistakes, withMistake } from './support/list-pictures'
import { noiseTimes, sheetCell, sheetSet, spoilings, type SheetNoise } from './support/sheet-sets'

const runs = Number(process.env.BAD_POSES_RUNS ?? 100)

/** Lists in pictures, which take long to draw. */
const inLists = Math.min(60, runs)

type Spoiling = (good: HandEyeObservation, random: () => number) => HandEyeObservation

const noises: readonly (readonly [string, SheetNoise])[] = [
  ['', noiseTimes({})],
  [', robot five times noisier', noiseTimes({ robot: 5 })],
  [', grid five times noisier', noiseTimes({ grid: 5 })],
]

/** How often bad poses are named correctly, and good ones wrongly; half of the sets for each mounting. */
export function run(): Promise<BenchRow[]> {
  return Promise.resolve([
    ...[6, 8, 12, 16].flatMap((poses) =>
      noises.map(([name, noise]): BenchRow => ({
        what: `${poses} good poses${name}: a pose is named`,
        value: share(poses, noise, []),
        unit: '%',
      })),
    ),
    ...[6, 8, 12].flatMap((poses) =>
      pictures.map((noise): BenchRow => ({
        what: `${poses} good poses, corners off by ${noise.pixels} px, ${noise.robot} of the robot's noise: a pose is named`,
        value: alarms(poses, noise, 2 * runs),
        unit: '%',
      })),
    ),
    ...[true, false].flatMap((robotMounted) => listRows(robotMounted)),
    ...[6, 8, 12].flatMap((poses) =>
      Object.entries(spoilings).map(([name, spoiling]): BenchRow => ({
        what: `${poses} poses, one bad (${name}): it alone is named`,
        value: share(poses, noiseTimes({}), [spoiling]),
        unit: '%',
      })),
    ),
    ...[8, 12].flatMap((poses) =>
      pairs.map(([name, bad]): BenchRow => ({
        what: `${poses} poses, two bad (${name}): exactly they are named`,
        value: share(poses, noiseTimes({}), bad),
        unit: '%',
      })),
    ),
  ])
}

/** Grids in pictures are measured less well when they face the camera. */
const pictures = [
  { pixels: 0.02, robot: 0 },
  { pixels: 0.02, robot: 0.01 },
  { pixels: 0.02, robot: 0.1 },
  { pixels: 0.2, robot: 0.1 },
  { pixels: 0.2, robot: 1 },
] as const

const flip = spoilings['grid turned by 180°']
const knock = spoilings['2° and 10 mm']
const pairs: readonly (readonly [string, readonly Spoiling[]])[] = [
  ['grid turned by 180°', [flip, flip]],
  ['2° and 10 mm', [knock, knock]],
  ['one of each', [flip, knock]],
]

/** Percentage of sets with exactly the spoiled poses named; without any, with a pose named. */
export function share(poses: number, noise: SheetNoise, bad: readonly Spoiling[], sets = runs): number {
  let found = 0
  for (let seed = 0; seed < 2 * sets; seed += 1) {
    const cell = sheetCell(seed % 2 === 0, 1000 + seed, noise)
    const observations = sheetSet(cell, poses)
    // Arbitrary places, the same in each run.
    const places = bad.map((_, which) => (seed + which * 3) % poses)
    places.forEach((place, which) => {
      const [good, spoil] = [observations[place], bad[which]]
      if (good && spoil) observations[place] = spoil(good, cell.random)
    })
    const named = outliers(observations, { robotMounted: cell.robotMounted }).map(({ index }) => index)
    const exactly = named.join() === [...places].sort((one, other) => one - other).join()
    if (bad.length ? exactly : named.length > 0) found += 1
  }
  return (100 * found) / (2 * sets)
}

/** Percentage of good sets, from pictures, in which a pose is named. */
export function alarms(poses: number, noise: { pixels: number; robot: number }, sets: number): number {
  const named = Array.from({ length: sets }, (_, seed) => cornerSet(seed, poses, noise)).filter(
    ({ observations, robotMounted }) => outliers(observations, { robotMounted }).length > 0,
  )
  return (100 * named.length) / sets
}

/** How often a pose is suspected in correct lists, and that one in lists with a mistake. */
function listRows(robotMounted: boolean): BenchRow[] {
  const lists = Array.from({ length: inLists }, (_, seed) => listInPictures(seed, robotMounted))
  const suspects = lists.map((good) => mistakeInPoses(good, { robotMounted }))
  const camera = robotMounted ? 'on the robot' : 'beside it'
  const row = (what: string, found: number): BenchRow => ({
    what: `12 poses of a list in pictures, camera ${camera}, ${what}`,
    value: (100 * found) / lists.length,
    unit: '%',
  })
  return [
    row('all good: a pose is suspected', suspects.filter(Boolean).length),
    ...Object.entries(listMistakes).map(([name, wrong]) => {
      const found = lists.filter((good, seed) => {
        const at = (7 * seed) % good.length
        const mistake = mistakeInPoses(withMistake(good, at, wrong), { robotMounted })
        return mistake?.kind === 'pose' && mistake.index === at
      })
      return row(`one wrong (${name}): it is suspected`, found.length)
    }),
  ]
}
