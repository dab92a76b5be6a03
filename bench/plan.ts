import { quantile, type BenchRow } from './row'
import { typicalNoise } from './support/hand-eye-sets'
import { listedErrors, plannedRun, type PlannedRun } from './support/planned-runs'
import { greedyPoses, randomPoses, seventeenPoses } from './support/pose-lists'
import { noiseTimes, referenceNoise, sheetCell, type SheetCell, type SheetNoise } from './support/sheet-sets'

const runs = Number(process.env.PLAN_RUNS ?? 300)
/** Runs for the share of results within their bounds. */
const boundRuns = Number(process.env.PLAN_BOUND_RUNS ?? 500)
const longest = 16
/** Unreachable, so that the plan continues to its last pose. */
const beyondReach = { wanted: { metres: 1e-5, degrees: 1e-3 }, most: 12 }

type Errors = PlannedRun['errors']

const goals = [
  { name: '1 mm and 0.1°', metres: 0.001, degrees: 0.1 },
  { name: '0.5 mm and 0.05°', metres: 0.0005, degrees: 0.05 },
] as const

const virtualNoise: SheetNoise = {
  robotTurnDegrees: 0.005,
  robotMove: 2e-5,
  gridTurnDegrees: 0.017,
  gridMove: 6e-5,
}

/** Noise of `hand-eye`, which has it about each of three axes. */
const ownNoise: SheetNoise = {
  robotTurnDegrees: Math.sqrt(3) * typicalNoise.robotTurnDegrees,
  robotMove: typicalNoise.robotMove,
  gridTurnDegrees: Math.sqrt(3) * typicalNoise.seenTurnDegrees,
  gridMove: typicalNoise.seenAcross,
  gridAlong: typicalNoise.seenAlong,
}

const noises: readonly (readonly [string, SheetNoise])[] = [
  ['usual noise', referenceNoise],
  ['noise of the bench hand-eye', ownNoise],
  ['noise of the virtual cell', virtualNoise],
]

/** Sources of poses, with the errors of one run after each pose. */
const strategies: readonly (readonly [string, (cell: SheetCell) => Errors])[] = [
  ['the plan', (cell) => plannedRun(cell, beyondReach).errors],
  ['list of 17 poses', (cell) => listedErrors(cell, seventeenPoses(cell))],
  ['random poses', (cell) => listedErrors(cell, randomPoses(cell, longest))],
  ['greedy D-optimal', (cell) => listedErrors(cell, greedyPoses(cell, longest))],
]

/** Poses needed for a goal in half and in 95 % of the runs: plan, its first six poses, lists; and the plan's own end. */
export function run(): Promise<BenchRow[]> {
  return Promise.resolve([
    { what: 'runs behind each figure', value: runs, unit: 'runs' },
    { what: 'runs behind each share within the bounds', value: boundRuns, unit: 'runs' },
    ...[true, false].flatMap((robotMounted) => {
      const where = robotMounted ? 'on the robot' : 'fixed'
      const cells = (noise: SheetNoise, count = runs) =>
        Array.from({ length: count }, (_, seed) => sheetCell(robotMounted, 40_000 + seed, noise))
      const [first, second] = goals
      return [
        ...noises.flatMap(([noise, figures]) =>
          strategies.flatMap(([strategy, errorsIn]) =>
            needed(`${where}, ${noise}, ${strategy}`, cells(figures).map(errorsIn)),
          ),
        ),
        ...needed(
          `${where}, three times the noise, the plan`,
          cells(noiseTimes({ robot: 3, grid: 3 })).map((cell) => plannedRun(cell, beyondReach).errors),
        ),
        ...noises.flatMap(([noise, figures]) =>
          ended(
            `${where}, ${noise}, until sure of ${first.name}`,
            cells(figures, boundRuns).map((cell) => plannedRun(cell, { wanted: first })),
          ),
        ),
        ...ended(
          `${where}, usual noise, until sure of ${second.name}`,
          cells(referenceNoise).map((cell) => plannedRun(cell, { wanted: second })),
        ),
      ]
    }),
  ])
}

/** Infinite if the goal is not reached. */
function needed(name: string, errors: readonly Errors[]): BenchRow[] {
  const length = Math.max(...errors.map((each) => each.length))
  return goals.flatMap((goal) =>
    [0.5, 0.95].map((share): BenchRow => {
      let from = Infinity
      for (let poses = length; poses > 0; poses -= 1) {
        const at = errors.map((each) => each[poses - 1])
        const of = (value: 'millimetres' | 'degrees') =>
          quantile(
            at.map((each) => each?.[value] ?? Infinity),
            share,
          )
        if (of('millimetres') > 1000 * goal.metres || of('degrees') > goal.degrees) break
        from = poses
      }
      return {
        what: `${name}: ${goal.name}, ${share === 0.5 ? 'median' : '95 %'}`,
        value: from,
        unit: 'poses',
      }
    }),
  )
}

function ended(name: string, all: readonly PlannedRun[]): BenchRow[] {
  const done = all.flatMap(({ end, errors, attempts }) =>
    end.kind === 'done' ? [{ end, error: errors.at(-1), attempts }] : [],
  )
  const inside = (isInside: (run: (typeof done)[number]) => boolean) =>
    (100 * done.filter(isInside).length) / done.length
  return [
    { what: `${name}: ended so`, value: (100 * done.length) / all.length, unit: '%' },
    {
      what: `${name}: poses of the plan, 95 %`,
      value: quantile(
        done.map(({ end }) => end.views),
        0.95,
      ),
      unit: 'poses',
    },
    {
      what: `${name}: with the first moves, 95 %`,
      value: quantile(
        done.map(({ attempts }) => attempts.length),
        0.95,
      ),
      unit: 'poses',
    },
    {
      what: `${name}: position within its bound`,
      value: inside(
        ({ end, error }) => (error?.millimetres ?? Infinity) <= 1000 * end.result.translationBound,
      ),
      unit: '%',
    },
    {
      what: `${name}: rotation within its bound`,
      value: inside(({ end, error }) => (error?.degrees ?? Infinity) <= end.result.rotationBoundDegrees),
      unit: '%',
    },
  ]
}
