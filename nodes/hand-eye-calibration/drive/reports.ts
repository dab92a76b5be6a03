/** Reports of a driven calibration: movements, plans, and ends without a result. */
import { type AnswerStuck, type CalibrationEnd, differenceOf } from '../../../lib/calibration'
import { coveragePlot, type PlotOptions } from '../../../lib/plots'
import {
  type Attempt,
  type Exclusion,
  type Go,
  type HandEyeResult,
  isSighting,
  type Pose,
  type SetMistake,
  type Stuck,
} from '../../../lib/robotics'
import { sentencesOf } from '../../sentences'
import { currentLanguage } from '../../shared/node-error'
import { NodeAnswer } from '../../shared/outcome'
import { type RobotFormat, shapedPose, shortPose, threeDigits } from '../../shared/poses'
import { outputs, type ReportedResult } from '../report'
import type { CalibrationStep, Setup } from '../session'
import type { DriveParts, DriveSettings } from './settings'

interface PlannedPose {
  /** From 1. */
  number: number
  pose: unknown
  poseText: string
}

/** 95 % bounds, and the required ones. */
export interface ShownBound {
  millimetres: number
  degrees: number
  wantedMillimetres: number
  wantedDegrees: number
}

/** Distance of a pose from the common result. */
export interface ShownResidual {
  /** From 1. */
  number: number
  millimetres: number
  degrees: number
  isBad: boolean
}

export interface DriveReport extends ReportedResult {
  going?: PlannedPose & { purpose: string; millimetres: number; degrees: number; steps: number }
  /** The known poses to the end, next first. */
  planned?: PlannedPose[]
  /** Missing during the first moves. */
  left?: number
  /** Poses beyond the confirmed plan, with the distance to the nearest pose that was shown. */
  changes?: { number: number; millimetres: number; degrees: number }[]
  seen?: number
  unseen?: number
  bound?: ShownBound
  /** Numbers of inconsistent poses. */
  doubtful?: number[]
  /** Against the result so far. */
  residuals?: ShownResidual[]
  /** Past and planned poses, SVG file. */
  picture?: string
}

const { say } = sentencesOf('hand-eye-calibration/drive')

interface PlanState {
  attempts: readonly Attempt[]
  move: Go
  from: Pose
  poses: readonly Pose[]
  isWhole: boolean
}

export function planReport(
  { robot }: Pick<Setup, 'robot'>,
  { plan, sightings }: Pick<DriveSettings, 'plan' | 'sightings'>,
  { attempts, move, from, poses, isWhole }: PlanState,
): DriveReport {
  const number = attempts.length + 1
  const planned = poses.map((pose, index): PlannedPose => ({
    number: number + index,
    pose: shapedPose(robot, pose, 'object'),
    poseText: String(shapedPose(robot, pose, 'text')),
  }))
  const off = differenceOf(from, move.pose)
  const [millimetres, degrees] = [Math.round(1000 * off.metres), Math.round(off.degrees)]
  const place = { number, millimetres, degrees, pose: poses[0] && shortPose(robot, poses[0]) }
  const bound = move.result && boundOf(move.result, plan.wanted)
  const left = isWhole ? planned.length : undefined
  const doubtful = move.outliers.map(({ index }) => index + 1)
  return {
    event: 'planned',
    ok: true,
    text:
      left === undefined ? say('line-drive-plan', place) : say('line-drive-plan-left', { ...place, left }),
    details: [
      say('drive-plan', { ...place, purpose: say(purposeOf(move, sightings)) }),
      ...(left === undefined ? [] : [say('drive-left', { left })]),
      ...(bound ? [say('drive-bound', { ...bound })] : []),
      ...(doubtful.length ? [say('drive-doubtful', { numbers: doubtful.join(', ') })] : []),
    ].join(' '),
    ...(planned[0] && {
      going: { ...planned[0], purpose: move.purpose, millimetres, degrees, steps: move.via.length + 1 },
    }),
    planned,
    ...(left !== undefined && { left }),
    ...countsOf(attempts),
    ...(bound && { bound }),
    ...(doubtful.length && { doubtful }),
    ...(move.result && { residuals: residualsOf(attempts, move.result, move.outliers) }),
    picture: pictureOf(attempts, poses),
  }
}

/** With yes and no only, `turn` is always a first move. */
const purposeOf = ({ purpose }: Pick<Go, 'purpose'>, sightings: DriveSettings['sightings']) =>
  sightings === 'answers' && purpose === 'turn'
    ? 'drive-purpose-answered'
    : (`drive-purpose-${purpose}` as const)

export const countsOf = (attempts: readonly Attempt[]) => ({
  seen: attempts.filter(isSighting).length,
  unseen: attempts.filter((each) => !isSighting(each) && !each.skipped).length,
})

export function pictureOf(
  attempts: readonly Attempt[],
  planned: readonly Pose[],
  options: PlotOptions = { language: currentLanguage() ?? 'en-US' },
): string {
  const numbered = attempts.map((attempt, index) => ({ number: index + 1, attempt }))
  return coveragePlot(
    {
      recorded: numbered
        .filter(({ attempt }) => isSighting(attempt))
        .map(({ number, attempt }) => ({ number, pose: attempt.robot })),
      unseen: attempts.filter((each) => !isSighting(each)).map(({ robot }) => robot),
      missing: planned,
    },
    options,
  )
}

/** @param goal metres and degrees @default 1 mm and 0.1°, as in the planner */
export const boundOf = (
  { translationBound, rotationBoundDegrees }: { translationBound: number; rotationBoundDegrees: number },
  goal: { metres: number; degrees: number } = { metres: 0.001, degrees: 0.1 },
): ShownBound => ({
  millimetres: threeDigits(1000 * translationBound),
  degrees: threeDigits(rotationBoundDegrees),
  wantedMillimetres: threeDigits(1000 * goal.metres),
  wantedDegrees: threeDigits(goal.degrees),
})

/** Larger values are inconsistent. */
const mostSurprise = 3

/** Poses outside the result have none. */
export function residualsOf(
  attempts: readonly Attempt[],
  own: HandEyeResult,
  outliers: Go['outliers'],
): ShownResidual[] {
  const solved = [...attempts.entries()].filter(
    ([index, attempt]) =>
      isSighting(attempt) && attempt.purpose !== 'again' && !outliers.some((bad) => bad.index === index),
  )
  return own.misfits.flatMap(({ translation, rotationDegrees, surprise }, place) => {
    const [index] = solved[place] ?? []
    if (index === undefined) return []
    const residual = { millimetres: threeDigits(1000 * translation), degrees: threeDigits(rotationDegrees) }
    return [{ number: index + 1, ...residual, isBad: surprise > mostSurprise }]
  })
}

export type PoorEnd = Exclude<CalibrationEnd, { kind: 'done' }> | AnswerStuck

export type RepeatableCommand = 'start' | 'check-camera' | 'touch-up'

interface EndContext {
  /** Empty: the grid. */
  tag: string
  attempts: readonly Attempt[]
  /** Why nothing was seen, if moving the robot does not help. */
  problem: string | undefined
  /** The command to continue or repeat. */
  again: RepeatableCommand | 'continue'
}

/** Why there is no result, and how to continue. */
function endInWords(end: PoorEnd, robot: RobotFormat, context: EndContext): string {
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
        millimetres: threeDigits(1000 * end.off.metres),
        degrees: threeDigits(end.off.degrees),
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
      return say('drive-stuck-movement', { ratio: threeDigits(stuck.ratio) })
    case 'mounting':
      return say(`drive-stuck-mounting-${stuck.found}`)
    case 'contradiction':
      return mistakeInWords(stuck.mistake)
    case 'nothing-left':
      return say('drive-stuck-nothing-left', { reasons: reasonsOf(stuck.excluded) })
    case 'accuracy':
      return say(`drive-stuck-accuracy-${stuck.mostly}`, { times: threeDigits(stuck.reached) })
  }
}

/** Movements that did not happen prove nothing about the grid. */
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
      return say('drive-mistake-grid-size', { percent: threeDigits(100 * Math.abs(mistake.factor - 1)) })
    default:
      return say(`drive-mistake-${mistake.kind}`)
  }
}

/** Most frequent first. */
const reasonsOf = (excluded: Readonly<Partial<Record<Exclusion, number>>>): string =>
  (Object.entries(excluded) as [Exclusion, number][])
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${say(`drive-excluded-${name}`)} (${count})`)
    .join(', ')

export function poorEnd(
  end: PoorEnd,
  { setup }: CalibrationStep,
  { driving, settings }: Pick<DriveParts, 'driving' | 'settings'>,
  {
    attempts = [],
    problem = () => undefined,
    again = 'continue',
  }: {
    attempts?: readonly Attempt[]
    /** Why nothing was seen, if moving the robot does not help. */
    problem?: () => string | undefined
    again?: EndContext['again']
  } = {},
): NodeAnswer {
  const reason = end.kind === 'stuck' ? end.reason : end.kind
  const inWords = () => ({
    ...{ event: 'driving-ended', ok: false, reason },
    text:
      end.kind !== 'stopped'
        ? say('line-drive-ended')
        : again === 'continue'
          ? say('line-drive-stopped')
          : say('line-drive-stopped-again', { command: again }),
    details: endInWords(end, setup.robot, { tag: settings.tag, attempts, problem: problem(), again }),
    ...(attempts.length && { ...countsOf(attempts), picture: pictureOf(attempts, []) }),
  })
  driving.display.end = inWords
  const payload = inWords()
  return new NodeAnswer(
    { payload },
    { text: payload.details, state: 'failed', code: reason },
    outputs.progress,
  )
}
