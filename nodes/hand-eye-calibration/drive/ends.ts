import type { AnswerStuck, CalibrationEnd } from '../../../lib/calibration'
import { isSighting, type Attempt, type Exclusion, type SetMistake, type Stuck } from '../../../lib/robotics'
import { type RobotFormat, shortPose } from '../../shared/poses'
import { short } from './plan-report'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** An end without a result. */
export type PoorEnd = Exclude<CalibrationEnd, { kind: 'done' }> | AnswerStuck

/** Commands that begin something again. */
export type RepeatableCommand = 'start' | 'check-camera' | 'touch-up'

/** What else is known about an end. */
export interface EndContext {
  /** That is looked at; empty: the grid. */
  tag: string
  attempts: readonly Attempt[]
  /** Why the last look saw nothing, where moving the robot does not help. */
  problem: string | undefined
  /** The command that goes on, or begins again. */
  again: RepeatableCommand | 'continue'
}

/** Why a calibration ended without a result, and how it goes on. */
export function endInWords(end: PoorEnd, robot: RobotFormat, context: EndContext): string {
  switch (end.kind) {
    case 'stopped':
      return context.again === 'continue'
        ? say('drive-end-stopped')
        : say('drive-end-stopped-again', { command: context.again })
    case 'moving':
      return say('drive-end-moving')
    case 'elsewhere':
    case 'missed':
      return say(`drive-end-${end.kind}`, {
        millimetres: short(1000 * end.off.metres),
        degrees: short(end.off.degrees),
        pose: shortPose(robot, end.expected),
        command: context.again,
      })
    case 'stuck':
      return 'verdict' in end ? answersInWords(end) : stuckInWords(end, context)
  }
}

function answersInWords({ reason, seen }: AnswerStuck): string {
  if (reason === 'limits') return say('drive-answers-limits')
  if (reason === 'accuracy') return say('drive-answers-accuracy', { poses: seen })
  return say(`drive-stuck-${reason}`)
}

function stuckInWords(stuck: Stuck, { tag, attempts, problem }: EndContext): string {
  switch (stuck.reason) {
    case 'grid-not-seen-at-start':
      if (problem !== undefined) return [problem, say('drive-stuck-start-again')].join(' ')
      return tag ? say('drive-stuck-tag-not-seen-at-start', { tag }) : say(`drive-stuck-${stuck.reason}`)
    case 'grid-lost':
      return tag ? say('drive-stuck-tag-lost', { tag }) : say(`drive-stuck-${stuck.reason}`)
    case 'first-moves':
      return firstMovesInWords(stuck, attempts)
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

/** Movements that did not take place say nothing about the grid. */
function firstMovesInWords(
  { limit }: Extract<Stuck, { reason: 'first-moves' }>,
  attempts: readonly Attempt[],
): string {
  if (limit) return say('drive-stuck-first-moves-limit', { limit: say(`drive-excluded-${limit}`) })
  const moves = attempts.filter(({ purpose }) => purpose === 'shift' || purpose === 'turn')
  const skipped = moves.filter((each) => each.skipped).length
  const unseen = moves.filter((each) => !each.skipped && !isSighting(each)).length
  if (unseen === 0 && skipped > 0) return say('drive-stuck-first-moves-skipped', { skipped })
  return skipped > 0
    ? say('drive-stuck-first-moves-both', { skipped, unseen })
    : say('drive-stuck-first-moves')
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
