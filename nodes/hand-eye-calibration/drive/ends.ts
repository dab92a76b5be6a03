import type { AnswerStuck, CalibrationEnd } from '../../../lib/calibration'
import type { Exclusion, SetMistake, Stuck } from '../../../lib/robotics'
import { type RobotFormat, shortPose } from '../../shared/poses'
import { short } from './plan-report'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** An end without a result. */
export type PoorEnd = Exclude<CalibrationEnd, { kind: 'done' }> | AnswerStuck

/** Why a calibration ended without a result, and how it goes on. @param tag that is looked at; empty: the grid */
export function endInWords(end: PoorEnd, robot: RobotFormat, tag = ''): string {
  switch (end.kind) {
    case 'stopped':
    case 'moving':
      return say(`drive-end-${end.kind}`)
    case 'elsewhere':
    case 'missed':
      return say(`drive-end-${end.kind}`, {
        millimetres: short(1000 * end.off.metres),
        degrees: short(end.off.degrees),
        pose: shortPose(robot, end.expected),
      })
    case 'stuck':
      return 'verdict' in end ? answersInWords(end) : stuckInWords(end, tag)
  }
}

function answersInWords({ reason, seen }: AnswerStuck): string {
  if (reason === 'limits') return say('drive-answers-limits')
  if (reason === 'accuracy') return say('drive-answers-accuracy', { poses: seen })
  return say(`drive-stuck-${reason}`)
}

function stuckInWords(stuck: Stuck, tag: string): string {
  switch (stuck.reason) {
    case 'grid-not-seen-at-start':
      return tag ? say('drive-stuck-tag-not-seen-at-start', { tag }) : say(`drive-stuck-${stuck.reason}`)
    case 'grid-lost':
      return tag ? say('drive-stuck-tag-lost', { tag }) : say(`drive-stuck-${stuck.reason}`)
    case 'first-moves':
      return stuck.limit
        ? say('drive-stuck-first-moves-limit', { limit: say(`drive-excluded-${stuck.limit}`) })
        : say('drive-stuck-first-moves')
    case 'movement':
      return say('drive-stuck-movement', { ratio: short(stuck.ratio) })
    case 'mounting':
      return say(`drive-stuck-mounting-${stuck.found}`)
    case 'contradiction':
      return mistakeInWords(stuck.mistake)
    case 'nothing-left':
      return say('drive-stuck-nothing-left', { reasons: reasonsOf(stuck.excluded) })
    case 'accuracy':
      return say(`drive-stuck-accuracy-${stuck.mostly}`, { times: short(stuck.reached) })
  }
}

function mistakeInWords(mistake: SetMistake | undefined): string {
  if (!mistake) return say('drive-stuck-contradiction')
  switch (mistake.kind) {
    case 'angle-order':
      return say('drive-mistake-angle-order', {
        read: mistake.read.join(''),
        meant: mistake.meant.join(''),
      })
    case 'angles-swapped':
      return say('drive-mistake-angles-swapped')
    case 'grid-size':
      return say('drive-mistake-grid-size', { percent: short(100 * Math.abs(mistake.factor - 1)) })
    default:
      return say(`drive-mistake-${mistake.kind}`)
  }
}

/** The most frequent reasons first. */
const reasonsOf = (excluded: Readonly<Partial<Record<Exclusion, number>>>): string =>
  (Object.entries(excluded) as [Exclusion, number][])
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${say(`drive-excluded-${name}`)} (${count})`)
    .join(', ')
