import { type SentenceOf, sentencesOf } from '../sentences'
import { shapedPose } from '../shared/poses'
import { coverageOf } from './coverage'
import type { CalibrationAnswer } from './device'
import { type Explanation, explanationOf } from './explain'
import { refusedBy, type Report, type ResultReport, type ShownCalibration } from './report'
import { type CalibrationStep, caughtUp, progress, type Setup } from './session'

const { invalidInput, say } = sentencesOf('hand-eye-calibration')

export const shownCalibration = ({ robot }: Setup, calibration: CalibrationAnswer): ShownCalibration => ({
  camera: shapedPose(robot, calibration.pose, 'object'),
  cameraText: String(shapedPose(robot, calibration.pose, 'text')),
  cameraIn: calibration.robot_mounted ? 'flange' : 'base',
  calibration,
})

/** What else is known of a result. */
interface ResultContext {
  /** Number of poses from which it was calculated. @default those on the device */
  poses?: number
  /** What is wrong with the poses or the settings; such a result is not good, however small its errors. */
  mistake?: Explanation | undefined
}

export function resultReport(
  { setup, session }: CalibrationStep,
  calibration: CalibrationAnswer,
  { isGood: isWithin, millimetres, degrees }: Judgement,
  noticed: readonly string[],
  { poses = session.poses.size, mistake }: ResultContext = {},
): ResultReport {
  const { limits, asksToSave } = setup
  const isGood = isWithin && !mistake
  const errors = { millimetres: rounded(millimetres), degrees: rounded(degrees) }
  const exactness =
    errors.millimetres === undefined || errors.degrees === undefined
      ? say('calibrated-unknown')
      : say('calibrated', { poses, ...errors })
  const verdict = errors.millimetres === undefined ? 'unjudged' : isWithin ? 'within-limits' : 'beyond-limits'
  const advice = mistake ? 'not-saved-mistake' : setup.isDriven ? 'not-saved-driven' : 'not-saved'
  const save = asksToSave ? say('send-save') : isGood ? '' : say(advice)
  const details = [...[exactness, say(verdict, limits), mistake?.text, save, assumptionOf(setup)], ...noticed]
    .filter(Boolean)
    .join(' ')
  return {
    event: 'calibrated',
    ok: isGood,
    details,
    good: isGood,
    saved: false,
    ...shownCalibration(setup, calibration),
    errors,
    limits,
    ...(mistake && { mistake: mistake.kind }),
    poses: session.slots().map((slot) => slot + 1),
  }
}

/** Poses that turn about one axis say nothing about the position along it. */
function assumptionOf({ axis, parameters, robotMounted }: Setup): string {
  if (!axis) return ''
  const values = {
    axis: axis.toUpperCase(),
    offset: Number((1000 * Number(parameters['tcp_offset'])).toPrecision(6)),
  }
  return say(robotMounted ? 'assumes-offset-camera' : 'assumes-offset-grid', values)
}

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Number(value.toPrecision(3))

/**
 * The accuracy of a calibration against the limits. Undefined errors are not reported by the device, and never good.
 */
interface Judgement {
  isGood: boolean
  millimetres: number | undefined
  degrees: number | undefined
}

export function judged(
  { translation_error_meter: metres, rotation_error_degree: degrees }: CalibrationAnswer,
  limits: Setup['limits'],
): Judgement {
  const millimetres = metres === undefined ? undefined : 1000 * metres
  const isGood =
    millimetres !== undefined &&
    degrees !== undefined &&
    millimetres <= limits.millimetres &&
    degrees <= limits.degrees
  return { isGood, millimetres, degrees }
}

/**
 * Saves the result on the device, which then uses it and removes the poses. The report repeats the result.
 * @throws INVALID_INPUT if there is no result, or none that may be saved
 */
export async function save(step: CalibrationStep): Promise<Report> {
  const { setup, session, device } = step
  const { result } = session
  if (!result) throw invalidInput('nothing-to-save')
  if (!result.good && !setup.asksToSave)
    throw invalidInput(setup.isDriven ? 'not-good-enough-driven' : 'not-good-enough')
  const isOwn = session.own !== undefined && session.own === result.calibration
  const answer = await (isOwn ? device.give(result.calibration) : device.save())
  if (!answer.success) {
    // 2: the device no longer has a result.
    if (answer.status === 2) session.result = undefined
    return refusedBy(step, answer, say(answer.status === 2 ? 'result-lost' : 'save-failed'), { saved: false })
  }
  session.clear()
  return { ...result, event: 'saved', ok: true, saved: true, details: say('saved') }
}

/** Why a device does not calibrate, by the status of `calibrate`. */
const reasons: Partial<Record<number, SentenceOf<'hand-eye-calibration'>>> = {
  1: 'not-calibrated-too-few',
  2: 'not-calibrated-invalid',
  3: 'not-calibrated-grid',
  4: 'not-calibrated-four-axes',
  5: 'not-calibrated-six-axes',
  6: 'not-calibrated-alike',
}

/**
 * Calibrates from the recorded poses unless they are clearly not sufficient; judges the result, and saves a good one.
 */
export async function calibrate(step: CalibrationStep): Promise<Report> {
  const { setup, session, device } = step
  const noticed = await caughtUp(step)
  const [{ ready, findings }] = coverageOf(setup, session)
  const mistake = step.look && explanationOf(setup, session)
  if (!ready) {
    const report = { event: 'refused', ok: false, refusedFor: findings[0]?.kind }
    // With what is wrong, the poses cannot be judged.
    if (mistake) {
      const details = [say('not-calibrated'), mistake.text, ...noticed].join(' ')
      return { ...progress(step, report, []), refusedFor: mistake.kind, mistake: mistake.kind, details }
    }
    return progress(step, report, [say('not-calibrated-poses'), ...noticed])
  }
  session.result = undefined
  const calibration = await device.calibrate()
  if (!calibration.success) {
    const why = mistake ? [say('not-calibrated'), mistake.text].join(' ') : undefined
    const report = refusedBy(step, calibration, why ?? say(reasons[calibration.status] ?? 'not-calibrated'))
    return { ...report, ...(mistake && { mistake: mistake.kind }) }
  }
  const judgement = judged(calibration, setup.limits)
  return judgedAndSaved(step, resultReport(step, calibration, judgement, noticed, { mistake }))
}

/** Keeps a result, and saves a good one unless the settings say that a person does. */
export async function judgedAndSaved(step: CalibrationStep, report: ResultReport): Promise<Report> {
  step.session.result = report
  if (!report.good || step.setup.asksToSave) return report
  const saved = await save(step)
  const details = `${report.details} ${saved.details}`
  return { ...report, details, ok: saved.ok, saved: saved.ok }
}
