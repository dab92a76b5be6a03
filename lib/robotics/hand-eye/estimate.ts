import { likelihood, type Likelihood, type LikelihoodProblem } from './likelihood'
import { leastNoise, type Noise } from './noise'
import { residual, stepped, unknownCount, type Unknowns } from './station'
import { sumOf, zeros } from './sums'

export interface Estimate extends Likelihood {
  unknowns: Unknowns
  noise: Noise
}

/** Ten are sufficient, unless all errors are of one kind, as with a grid of the wrong size and no noise. */
const mostSteps = 40
/** Smallest share of a step that is tried. */
const leastShare = 1e-4
/** In logarithms of the likelihood: far less than any pose contributes. */
const enough = 1e-5
/** Largest change of a variance in one step, as a natural logarithm. */
const farthest = 3

/**
 * The unknowns and the noise that best explain the observations: Gauss-Newton steps on both, shortened until the
 * likelihood grows.
 *
 * @returns undefined if the poses do not determine an unknown
 */
export function estimate(problem: LikelihoodProblem, start: Unknowns): Estimate | undefined {
  let now = at(problem, start, firstNoise(problem, start))
  for (let count = 0; now && now.gain > enough && count < mostSteps; count += 1) {
    const next = better(problem, now)
    if (!next) return now
    now = next
  }
  return now
}

function at(problem: LikelihoodProblem, unknowns: Unknowns, noise: Noise): Estimate | undefined {
  const found = likelihood(problem, unknowns, noise)
  return found && Number.isFinite(found.value) ? { ...found, unknowns, noise } : undefined
}

function better(problem: LikelihoodProblem, now: Estimate): Estimate | undefined {
  let share = Math.min(1, farthest / Math.max(...now.noiseStep.map(Math.abs)))
  for (; share > leastShare; share /= 2) {
    const step = zeros(unknownCount)
    for (const [index, unknown] of problem.free.entries()) step[unknown] = share * (now.step[index] ?? 0)
    const noise = now.noise.map((each, source) =>
      Math.max(leastNoise[source] ?? 0, each + share * (now.noiseStep[source] ?? 0)),
    )
    const next = at(problem, stepped(now.unknowns, step), noise as unknown as Noise)
    if (next && next.value < now.value - 0.2 * share * now.gain) return next
  }
  return undefined
}

/** As large as the initial errors suggest, distributed over the sources in the usual proportion. */
function firstNoise({ stations, robotMounted, prior }: LikelihoodProblem, start: Unknowns): Noise {
  const [turn, move, robotTurn] = prior.mean
  const squares = sumOf(stations, (each) => {
    const { error } = residual(each, start, robotMounted)
    return sumOf(error, (part, index) => part * part * (index < 3 ? Math.exp(-turn) : 1))
  })
  const size = Math.log(squares / (6 * stations.length))
  const [least, leastMove, leastRobot] = leastNoise
  return [
    Math.max(least, size + turn),
    Math.max(leastMove, size + move),
    Math.max(leastRobot, size + robotTurn),
  ]
}
