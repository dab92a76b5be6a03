/** Reports of the steps: as sent to the flow, in one line, and to which output. */
import { type SentenceOf, sentencesOf } from '../sentences'
import { NodeAnswer, type OutcomeSummary } from '../shared/outcome'
import { type Coverage, coverageOf } from './coverage'
import type { CalibrationAnswer, HandEyeAnswer } from './device'
import { type CalibrationStep, progress, caughtUp, type Setup } from './session'
import { shapedPose } from '../shared/poses'
import { type Explanation, explanationOf } from './explain'

const { say, invalidInput } = sentencesOf('hand-eye-calibration')

/** The payload of the outgoing message. */
export interface Report extends Partial<Coverage> {
  event: string
  ok: boolean
  details: string
  [more: string]: unknown
}

export interface ReportedResult extends Report {
  /** One line for a panel or a robot. */
  text: string
}

interface ShownCalibration {
  /** In the robot's own numbers: on the flange, or in the base if fixed. */
  camera: unknown
  cameraText: string
  cameraIn: 'flange' | 'base'
  calibration: CalibrationAnswer
}

export interface ResultReport extends Report, ShownCalibration {
  good: boolean
  saved: boolean
  /** Standard deviations. */
  errors: { millimetres: number | undefined; degrees: number | undefined }
  limits: { millimetres: number; degrees: number }
}

/** Adds the essence in at most sixty characters: what happened, what comes next. */
export const withText = (report: Report): ReportedResult => ({ ...report, text: lineOf(report) })

function lineOf(report: Report): string {
  const { event, poses = [], next, enough, sameAs, unseen } = report
  const values = {
    ...report,
    poses: poses.length,
    same: sameAs,
    next: next?.text ?? '',
    ...roundedError(report),
  }
  switch (event) {
    case 'pose-stored':
      if (sameAs !== undefined) return say('line-same', values)
      if (next) return say('line-stored', values)
      return say(enough ? 'line-stored-enough' : 'line-stored-only', values)
    case 'pose-rejected':
      if (!unseen) return say('line-not-stored', values)
      return say(next ? 'line-unseen' : 'line-unseen-only', values)
    case 'status':
    case 'pose-deleted':
      if (next) return say('line-poses', values)
      return say(enough ? 'line-poses-enough' : 'line-poses-only', values)
    case 'calibrated':
      if (report['saved'] === true) return say('line-calibrated-saved', values)
      return say(report['good'] === true ? 'line-calibrated' : 'line-calibrated-badly', values)
    case 'checked':
      return say(report['good'] === true ? 'line-checked' : 'line-checked-badly', values)
    case 'refused':
      return say(report['refusedFor'] === undefined ? 'line-refused' : 'line-not-calibrated', values)
    default:
      return say(simple[event] ?? 'line-refused', values)
  }
}

const simple: Readonly<Record<string, SentenceOf<'hand-eye-calibration'>>> = {
  started: 'line-started',
  cancelled: 'line-cancelled',
  saved: 'line-saved',
  'check-waits': 'line-check-waits',
  'list-ended': 'hand-eye-list-ended',
}

/** A line has no room for a third digit. */
function roundedError({ errors }: Report): { error: unknown } {
  const { millimetres } = (errors ?? {}) as { millimetres?: number }
  return { error: millimetres === undefined ? '?' : Number(millimetres.toPrecision(2)) }
}

export const outputs = { progress: 0, result: 1, move: 2 } as const

const results: readonly string[] = ['calibrated', 'saved', 'checked']

export function toItsOutput(report: Report): NodeAnswer {
  const payload = withText(report)
  const output = results.includes(report.event) ? outputs.result : outputs.progress
  return new NodeAnswer({ payload }, summaryOf(payload), output)
}

/** Accuracy in millimetres, or number of the pose. */
export const summaryOf = ({
  text,
  ok,
  event,
  number,
  errors,
  millimetres,
}: ReportedResult): OutcomeSummary => ({
  text,
  state: ok ? 'done' : 'failed',
  code: ok ? 0 : event,
  value: millimetres ?? (errors as { millimetres?: number } | undefined)?.millimetres ?? number,
})

export function refusedBy(
  step: CalibrationStep,
  answer: HandEyeAnswer,
  why: string,
  more: object = {},
): Report {
  const { status, message } = answer
  const detail = say(message ? 'hand-eye-said' : 'hand-eye-status', { message, status })
  return progress(step, { event: 'refused', ok: false, ...more, answer }, [why, detail])
}

export const shownCalibration = ({ robot }: Setup, calibration: CalibrationAnswer): ShownCalibration => ({
  camera: shapedPose(robot, calibration.pose, 'object'),
  cameraText: String(shapedPose(robot, calibration.pose, 'text')),
  cameraIn: calibration.robot_mounted ? 'flange' : 'base',
  calibration,
})

interface ResultContext {
  /** From which it was calculated. @default those on the device */
  poses?: number
  /** Such a result is not good, however small its errors. */
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

/** Poses that turn about one axis do not determine the position along it. */
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

/** Errors that the device does not report are undefined, and never good. */
interface Judgement {
  isGood: boolean
  millimetres: number | undefined
  degrees: number | undefined
}

export function assessed(
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
 * The device then uses the result and removes the poses.
 * @throws INVALID_INPUT without a result that may be saved
 */
export async function save(step: CalibrationStep): Promise<Report> {
  const { setup, session, device } = step
  const { result } = session
  if (!result) throw invalidInput('nothing-to-save')
  if (!result.good && !setup.asksToSave)
    throw invalidInput(setup.isDriven ? 'not-good-enough-driven' : 'not-good-enough')
  const isOwn = session.own !== undefined && session.own === result.calibration
  const answer = await (isOwn ? device.setCalibration(result.calibration) : device.save())
  if (!answer.success) {
    // 2: the device has lost the result.
    if (answer.status === 2) session.result = undefined
    return refusedBy(step, answer, say(answer.status === 2 ? 'result-lost' : 'save-failed'), { saved: false })
  }
  session.clear()
  return { ...result, event: 'saved', ok: true, saved: true, details: say('saved') }
}

/** By the status of `calibrate`. */
const reasons: Partial<Record<number, SentenceOf<'hand-eye-calibration'>>> = {
  1: 'not-calibrated-too-few',
  2: 'not-calibrated-invalid',
  3: 'not-calibrated-grid',
  4: 'not-calibrated-four-axes',
  5: 'not-calibrated-six-axes',
  6: 'not-calibrated-alike',
}

/** Unless the poses are clearly not sufficient; saves a good result. */
export async function calibrate(step: CalibrationStep): Promise<Report> {
  const { setup, session, device } = step
  const noticed = await caughtUp(step)
  const [{ ready, findings }] = coverageOf(setup, session)
  const mistake = step.look && explanationOf(setup, session)
  if (!ready) {
    const report = { event: 'refused', ok: false, refusedFor: findings[0]?.kind }
    // With a mistake in the set-up, the poses cannot be assessed.
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
  const judgement = assessed(calibration, setup.limits)
  return assessedAndSaved(step, resultReport(step, calibration, judgement, noticed, { mistake }))
}

/** Saves a good result unless the operator is to save it. */
export async function assessedAndSaved(step: CalibrationStep, report: ResultReport): Promise<Report> {
  step.session.result = report
  if (!report.good || step.setup.asksToSave) return report
  const saved = await save(step)
  const details = `${report.details} ${saved.details}`
  return { ...report, details, ok: saved.ok, saved: saved.ok }
}
