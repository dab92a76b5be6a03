import { differenceOf } from '../../../lib/calibration'
import { coveragePlot, type PlotOptions } from '../../../lib/plots'
import { isSighting, type Attempt, type Go, type HandEyeResult, type Pose } from '../../../lib/robotics'
import { spoken } from '../../shared/node-error'
import { shapedPose, shortPose } from '../../shared/poses'
import type { DriveReport, PlannedPose, ShownBound, ShownResidual } from './report'
import type { DriveSettings } from './settings'
import type { Setup } from '../session'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** What a plan is told from. */
export interface PlanState {
  attempts: readonly Attempt[]
  move: Go
  /** Where the robot stands. */
  from: Pose
  /** The poses from here to the end. */
  poses: readonly Pose[]
  isWhole: boolean
}

/** The plan in words, in numbers and as a picture. */
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

/** By yes and no, no turn is only a first one. */
const purposeOf = ({ purpose }: Pick<Go, 'purpose'>, sightings: DriveSettings['sightings']) =>
  sightings === 'answers' && purpose === 'turn'
    ? 'drive-purpose-answered'
    : (`drive-purpose-${purpose}` as const)

export const countsOf = (attempts: readonly Attempt[]) => ({
  seen: attempts.filter(isSighting).length,
  unseen: attempts.filter((each) => !isSighting(each) && !each.skipped).length,
})

/** Poses so far, and planned ones. */
export function pictureOf(
  attempts: readonly Attempt[],
  planned: readonly Pose[],
  options: PlotOptions = { language: spoken() ?? 'en-US' },
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

/** @param wanted metres and degrees; the default of the planner is 1 mm and 0.1° */
export const boundOf = (
  { translationBound, rotationBoundDegrees }: { translationBound: number; rotationBoundDegrees: number },
  wanted: { metres: number; degrees: number } = { metres: 0.001, degrees: 0.1 },
): ShownBound => ({
  millimetres: short(1000 * translationBound),
  degrees: short(rotationBoundDegrees),
  wantedMillimetres: short(1000 * wanted.metres),
  wantedDegrees: short(wanted.degrees),
})

/** Three digits are more than a bound is worth. */
export const short = (value: number): number => Number(Number(value.toPrecision(3)).toFixed(4))

/** Above this a pose does not fit the others. */
const mostSurprise = 3

/** How far each pose is from the common result; those that are no part of it have none. */
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
    const residual = { millimetres: short(1000 * translation), degrees: short(rotationDegrees) }
    return [{ number: index + 1, ...residual, isBad: surprise > mostSurprise }]
  })
}
