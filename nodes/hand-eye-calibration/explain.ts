import { mistakeInPoses } from '../../lib/calibration'
import { findGrid, gridPattern, patternMistake, type GridMiss, type GridPattern } from '../../lib/images/grid'
import { pictureNow } from '../../lib/images'
import type { HandEyeObservation, SetMistake } from '../../lib/robotics'
import { abortedAfter } from '../../lib/kernel/timers'
import type { Connection } from '../device/connection'
import { imagePlace } from '../device/device'
import { sentencesOf } from '../sentences'
import { shortPose, threeDigits } from '../shared/poses'
import type { Session, Setup } from './session'

const { say } = sentencesOf('hand-eye-calibration')

export type OwnSight = Pick<HandEyeObservation, 'grid' | 'covariance'> | { miss: GridMiss }

/** Milliseconds; without a picture, a bad result is only explained less exactly. */
const patience = 5000
/** Less certain rotations are useless, degrees. */
const leastCertain = 1

/** Our own pictures, besides the device's view of the grid. */
export interface OwnPictures {
  device: Connection
  pipeline: string
  rows: number
  signal: AbortSignal
}

/** Observes the grid, to explain a bad result later. @throws errors of the image stream; RangeError for an impossible grid */
export async function ownSight(
  { device, pipeline, rows, signal }: OwnPictures,
  setup: Setup,
): Promise<OwnSight> {
  const { grid_width, grid_height } = setup.parameters
  const patternOf = (lines: number) => gridPattern(Number(grid_width), Number(grid_height), lines)
  const within = AbortSignal.any([signal, abortedAfter(patience)])
  const place = await imagePlace(device, pipeline || '0')
  const picture = await pictureNow({ ...place, longestSilence: patience, signal: within })
  const find = (pattern: GridPattern) => findGrid(picture, pattern, {}, () => within.aborted)
  let seen = await find(patternOf(rows))
  // The device needs no rows; they may not have been entered.
  const mistake = 'columns' in seen ? patternMistake(patternOf(rows), seen) : undefined
  if (mistake?.kind === 'rows') seen = await find(patternOf(mistake.rows))
  if (!seen.found) return { miss: seen }
  return seen.uncertainty.degrees < leastCertain
    ? { grid: seen.pose, covariance: seen.covariance }
    : { miss: { found: false, reason: 'unclear' } }
}

/** For people; `kind` for programs. */
export interface Explanation {
  kind: string
  text: string
}

export function explanationOf(
  { robot, robotMounted, axis, parameters }: Setup,
  { poses, sights }: Pick<Session, 'poses' | 'sights'>,
): Explanation | undefined {
  const seen = [...poses]
    .sort(([one], [other]) => one - other)
    .flatMap(([slot, pose]) => {
      const view = sights.get(slot)
      return view && 'grid' in view ? [{ ...view, slot, robot: pose }] : []
    })
  const found = mistakeInPoses(seen, {
    robotMounted,
    ...(axis && { fourAxis: { axis, offset: Number(parameters['tcp_offset']) } }),
  })
  if (found?.kind === 'set')
    return { kind: found.mistake.kind, text: setMistakeInWords(found.mistake, parameters) }
  if (found) {
    const { index, outlier, expected, off } = found
    const values = {
      number: (seen[index]?.slot ?? 0) + 1,
      pose: shortPose(robot, expected),
      millimetres: threeDigits(1000 * off.metres),
      degrees: threeDigits(off.degrees),
      including: inMillimetres(outlier.with.translation),
      without: inMillimetres(outlier.without.translation),
    }
    return { kind: 'pose', text: say('mistake-pose', values) }
  }
  const others = [...sights.values()].flatMap((view) =>
    'miss' in view && view.miss.reason === 'other' ? [view.miss] : [],
  )
  // The majority.
  const [other] = others
  if (!other || others.length <= seen.length) return undefined
  const { columns, rows } = other
  return { kind: 'grid-squares', text: say('mistake-grid-squares', { columns, rows }) }
}

function setMistakeInWords(mistake: SetMistake, { grid_width, grid_height }: Setup['parameters']): string {
  const { misfit, misfitWithout } = mistake
  const figures = say('mistake-figures', {
    misfit: inMillimetres(misfit),
    without: inMillimetres(misfitWithout),
  })
  const describe = () => {
    switch (mistake.kind) {
      case 'angle-order':
        return say('mistake-angle-order', { read: mistake.read.join(''), meant: mistake.meant.join('') })
      case 'grid-size': {
        const edge = (metres: unknown) => threeDigits((1000 * Number(metres)) / mistake.factor)
        return say('mistake-grid-size', { width: edge(grid_width), height: edge(grid_height) })
      }
      default:
        return say(`mistake-${mistake.kind}`)
    }
  }
  return [describe(), figures].join(' ')
}

const inMillimetres = (metres: number) => (Number.isFinite(metres) ? String(threeDigits(1000 * metres)) : '∞')
