import { differenceOf } from '../../../lib/calibration'
import { residualPlot } from '../../../lib/plots'
import { isSighting, type Attempt, type Done, type HandEyeResult } from '../../../lib/robotics'
import { codeOf, spoken } from '../../shared/node-error'
import { shapedPose } from '../../shared/poses'
import type { CalibrationAnswer, HandEyeDevice } from '../device'
import { calibrate, judged, judgedAndSaved, resultReport } from '../result'
import type { Report } from '../report'
import type { CalibrationStep } from '../session'
import type { KeptCalibration } from './journal'
import { boundOf, countsOf, pictureOf, residualsOf, short } from './plan-report'
import type { DriveWork } from './parts'
import { isTag, sightedBy, type DriveSettings } from './settings'
import { sentencesOf } from '../../sentences'

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
