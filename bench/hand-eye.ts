import {
  angleOf,
  conjugated,
  degrees,
  distance,
  product,
  solveHandEye,
  type HandEyeResult,
  type Pose,
} from '../lib/robotics'
import { quantile, type BenchRow } from './row'
import { solvedByOpenCv } from './support/hand-eye-opencv'
import { handEyeSet, typicalNoise, type HandEyeSet } from './support/hand-eye-sets'

const runs = Number(process.env.HAND_EYE_RUNS ?? 1000)

interface Cell {
  robotMounted: boolean
  poses: number
  spreadDegrees: number
}
/** Degrees and millimetres. */
interface Errors {
  rotation: number[]
  translation: number[]
}

const cells: readonly Cell[] = [true, false].flatMap((robotMounted) =>
  [4, 8, 16].flatMap((poses) =>
    [10, 30, 45].map((spreadDegrees) => ({ robotMounted, poses, spreadDegrees })),
  ),
)

/** Our solver beside the best of OpenCV's seven methods, on the same noisy sets; honesty of our bounds; time. */
export function run(): Promise<BenchRow[]> {
  const rows = cells.flatMap(rowsOf)
  return Promise.resolve(rows.some(({ against }) => against) ? rows : [missing, ...rows])
}

const missing: BenchRow = {
  what: 'compared with nothing: no Python here has OpenCV (apt install python3-opencv)',
  value: 0,
  unit: 'methods',
}

function rowsOf(cell: Cell): BenchRow[] {
  const sets = Array.from({ length: runs }, (_, seed) => handEyeSet({ ...cell, noise: typicalNoise, seed }))
  const started = performance.now()
  const results = sets.map(({ observations, robotMounted }) => solveHandEye(observations, { robotMounted }))
  const milliseconds = (performance.now() - started) / runs
  const solved = results.map((result) => (result.solved ? result : undefined))

  const ours = errorsOf(
    sets,
    solved.map((result) => result?.camera),
  )
  const theirs = [...(solvedByOpenCv(sets) ?? [])].map(
    ([method, poses]) => [method, errorsOf(sets, poses)] as const,
  )
  const { robotMounted, poses, spreadDegrees } = cell
  const name = `${robotMounted ? 'on the robot' : 'fixed'}, ${poses} poses, ${spreadDegrees}°`
  return [
    ...(['rotation', 'translation'] as const).flatMap((part) =>
      [0.5, 0.95].map((share): BenchRow => {
        const value = quantile(ours[part], share)
        return {
          what: `${name}: ${part} error, ${share === 0.5 ? 'median' : '95 %'}`,
          value,
          unit: part === 'rotation' ? '°' : 'mm',
          ...best(
            value,
            theirs.map(([method, errors]) => [method, quantile(errors[part], share)]),
          ),
        }
      }),
    ),
    ...(poses >= 8 && spreadDegrees >= 30 ? honesty(name, ours, solved) : []),
    { what: `${name}: time`, value: milliseconds, unit: 'ms' },
  ]
}

function errorsOf(sets: readonly HandEyeSet[], poses: readonly (Pose | undefined)[]): Errors {
  const of = (error: (pose: Pose, truth: Pose) => number) =>
    sets.map(({ camera }, index) => {
      const pose = poses[index]
      return pose ? error(pose, camera) : Infinity
    })
  return {
    rotation: of((pose, truth) => degrees(angleOf(product(conjugated(truth.orientation), pose.orientation)))),
    translation: of((pose, truth) => 1000 * distance(pose.position, truth.position)),
  }
}

function best(value: number, others: readonly (readonly [string, number])[]) {
  const [first] = [...others].sort(([, one], [, other]) => one - other)
  return first && { against: first[0], ratio: value / first[1] }
}

/** Share of runs within the reported 95 % bounds. */
function honesty(name: string, errors: Errors, results: readonly (HandEyeResult | undefined)[]): BenchRow[] {
  const share = (inside: (result: HandEyeResult, run: number) => boolean) =>
    (100 * results.filter((result, run) => result && inside(result, run)).length) / results.length
  return [
    {
      what: `${name}: rotation within its bound`,
      value: share(({ rotationBoundDegrees }, run) => (errors.rotation[run] ?? NaN) <= rotationBoundDegrees),
      unit: '%',
    },
    {
      what: `${name}: translation within its bound`,
      value: share(
        ({ translationBound }, run) => (errors.translation[run] ?? NaN) <= 1000 * translationBound,
      ),
      unit: '%',
    },
  ]
}
