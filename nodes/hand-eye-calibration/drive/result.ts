import { differenceOf } from '../../../lib/calibration'
import { residualPlot } from '../../../lib/plots'
import { type Attempt, type Done, type HandEyeResult, isSighting, type Outlier } from '../../../lib/robotics'
import { sentencesOf } from '../../sentences'
import { codeOf, spoken } from '../../shared/node-error'
import { shapedPose } from '../../shared/poses'
import type { CalibrationAnswer, HandEyeDevice } from '../device'
import type { Report } from '../report'
import { calibrate, judged, judgedAndSaved, resultReport } from '../result'
import type { CalibrationStep } from '../session'
import { asked } from './confirm'
import type { KeptCalibration } from './journal'
import { type DriveSettings, type DriveWork, isTag, sightedBy } from './settings'
import { boundOf, countsOf, pictureOf, residualsOf, short } from './reports'
import { slotOf } from './sightings'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** Has the device calibrate from its poses, and adds what the plan knows: its own bound, the residuals, the comparison. */
export async function result(work: DriveWork, { result: own, outliers }: Done): Promise<Report> {
  const { step, journal, inbound, settings } = work
  const attempts = await journal.read()
  const before = await savedBefore(step.device)
  inbound.progress('calibrating')
  await journal.finish(keptOf(attempts, own, settings))
  const report = await (isTag(settings.sightings) ? ownResult(step, own, attempts) : calibrate(step))
  if (report['saved'] === true) await journal.keep()
  const now = report['calibration'] as CalibrationAnswer | undefined
  const compared = before && now && before.robot_mounted === now.robot_mounted ? before : undefined
  const comparison = compared && now && inNumbers(differenceOf(compared.pose, now.pose))
  const agreement = now && !isTag(settings.sightings) && inNumbers(differenceOf(own.camera, now.pose))
  const bound = boundOf(own, settings.plan.wanted)
  const residuals = residualsOf(attempts, own, outliers)
  const doubtful = outliers.map(({ index }) => index + 1)
  const details = [
    say('drive-done', { poses: attempts.length, ...bound }),
    report.details,
    ...(agreement ? [say('drive-agreement', agreement)] : []),
    ...(comparison ? [say('drive-compared', comparison)] : []),
    ...(doubtful.length ? [say('drive-doubtful', { numbers: doubtful.join(', ') })] : []),
  ].join(' ')
  return {
    ...report,
    details,
    bound,
    ...countsOf(attempts),
    ...(comparison && { comparison }),
    ...(agreement && { agreement }),
    own: {
      camera: shapedPose(step.setup.robot, own.camera, 'object'),
      cameraText: String(shapedPose(step.setup.robot, own.camera, 'text')),
    },
    residuals,
    ...(doubtful.length && { doubtful }),
    picture: pictureOf(attempts, []),
    residualPicture: residualPlot(
      residuals.map(({ number, millimetres, isBad }) => ({ number, translation: millimetres / 1000, isBad })),
      { language: spoken() ?? 'en-US' },
    ),
  }
}

/** By a tag, where the device may never have seen its own grid. */
function ownResult(step: CalibrationStep, own: HandEyeResult, attempts: readonly Attempt[]): Promise<Report> {
  const { setup, session } = step
  const calibration: CalibrationAnswer = {
    ...{ success: true, status: 0, message: '', pose: own.camera, robot_mounted: setup.robotMounted },
    translation_error_meter: own.translationError,
    rotation_error_degree: own.rotationErrorDegrees,
  }
  session.own = calibration
  const judgement = judged(calibration, setup.limits)
  return judgedAndSaved(
    step,
    resultReport(step, calibration, judgement, [], { poses: countsOf(attempts).seen }),
  )
}

/** The calibration that the device uses; undefined without one, and where the device does not tell. */
export async function savedBefore(device: HandEyeDevice): Promise<CalibrationAnswer | undefined> {
  try {
    const saved = await device.savedCalibration()
    return saved.success ? saved : undefined
  } catch (error) {
    if (codeOf(error) === 'NOT_FOUND') return undefined
    throw error
  }
}

/** For people, from metres. */
export const inNumbers = ({ metres, degrees }: { metres: number; degrees: number }) => ({
  millimetres: short(1000 * metres),
  degrees: short(degrees),
})

/** What a check needs: two views from different sides, and the start pose last, so that the next check begins there. */
export function keptOf(
  attempts: readonly Attempt[],
  own: HandEyeResult,
  settings: DriveSettings,
): KeptCalibration {
  const seen = attempts.filter(isSighting)
  const views = seen.filter(({ purpose }) => purpose === 'view').slice(0, 2)
  const looks = [...views, ...seen.slice(0, 1)].map(({ robot }) => robot)
  const { robotMounted } = settings.plan
  return {
    ...{ robotMounted, camera: own.camera, grid: own.grid, looks, at: new Date().toISOString() },
    by: sightedBy(settings),
  }
}

/**
 * Asks about each pose with which the result would not be as accurate as wanted whether the device is to calibrate without it, and deletes it there. Where
 * a person confirms only the pose of the robot, it is left out and told.
 */
export async function leaveOut(
  work: DriveWork,
  attempts: readonly Attempt[],
  outliers: readonly Outlier[],
): Promise<void> {
  const { step, settings, signal, tell } = work
  const { session, device } = step
  for (const { index, without, with: including } of outliers) {
    if (isAccurate(including, settings.plan.wanted)) continue
    const attempt = attempts[index]
    const slot = attempt && slotOf(session.poses, attempt.robot)
    if (slot === undefined) continue
    const number = index + 1
    const figures = { number, without: millimetres(without), including: millimetres(including) }
    const report = (event: string) => ({
      ...{ event, ok: false, number, text: say('line-drive-misfit', { number }) },
      details: say('drive-misfit', figures),
    })
    if (settings.confirm !== 'none') {
      const answer = await asked(
        work,
        () => report('confirm-leave-out'),
        () => say('drive-leave-out', { number }),
        signal,
      )
      if (answer === 'skip') continue
    }
    const { success } = await device.deletePose(slot)
    if (!success) continue
    session.poses.delete(slot)
    tell(() => ({ ...report('left-out'), text: say('line-drive-misfit-out', { number }) }))
  }
}

/** With a pose that hardly matters, nobody is bothered. */
const isAccurate = (
  { translation, rotationDegrees }: Outlier['with'],
  wanted: { metres: number; degrees: number } = { metres: 0.001, degrees: 0.1 },
): boolean => translation <= wanted.metres && rotationDegrees <= wanted.degrees

/** Of position; a set without a result has no bound. */
const millimetres = ({ translation }: { translation: number }): string =>
  Number.isFinite(translation) ? String(short(1000 * translation)) : '∞'
