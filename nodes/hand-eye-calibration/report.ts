/** Reports of the steps: as sent to the flow, in one line, and to which output. */
import { type SentenceOf, sentencesOf } from '../sentences'
import { NodeAnswer, type OutcomeSummary } from '../shared/outcome'
import type { Coverage } from './coverage'
import type { CalibrationAnswer, HandEyeAnswer } from './device'
import { type CalibrationStep, progress } from './session'

/** The answer to a step: the payload of the outgoing message. */
export interface Report extends Partial<Coverage> {
  event: string
  /** Whether the step was successful. */
  ok: boolean
  /** The whole report as one text. */
  details: string
  /** The data of this event. */
  [more: string]: unknown
}

/** A report as it is sent. */
export interface ToldReport extends Report {
  /** The essence, for one line of a panel or a robot. */
  text: string
}

/** A calibration as sent to the flow. */
export interface ShownCalibration {
  /** Pose of the camera in the robot's own numbers: on the flange, or in the base if it is fixed. */
  camera: unknown
  cameraText: string
  cameraIn: 'flange' | 'base'
  /** As reported by the device. */
  calibration: CalibrationAnswer
}

/** A result with its judgement. */
export interface ResultReport extends Report, ShownCalibration {
  /** Whether it is within the limits. */
  good: boolean
  saved: boolean
  /** Standard deviations. */
  errors: { millimetres: number | undefined; degrees: number | undefined }
  limits: { millimetres: number; degrees: number }
}

const { say } = sentencesOf('hand-eye-calibration')

/** Adds the essence of a report in one line of at most sixty characters: what happened and what comes next. */
export const told = (report: Report): ToldReport => ({ ...report, text: lineOf(report) })

function lineOf(report: Report): string {
  const { event, poses = [], next, enough, sameAs, unseen } = report
  const values = { ...report, poses: poses.length, same: sameAs, next: next?.text ?? '', ...rounded(report) }
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

/** A line has no room for the third digit. */
function rounded({ errors }: Report): { error: unknown } {
  const { millimetres } = (errors ?? {}) as { millimetres?: number }
  return { error: millimetres === undefined ? '?' : Number(millimetres.toPrecision(2)) }
}

/** Progress of the calibration; its results; moves for the robot. */
export const outputs = { progress: 0, result: 1, move: 2 } as const

const results: readonly string[] = ['calibrated', 'saved', 'checked']

/** Sends a report to its output. */
export function toItsOutput(report: Report): NodeAnswer {
  const payload = told(report)
  const output = results.includes(report.event) ? outputs.result : outputs.progress
  return new NodeAnswer({ payload }, toldOf(payload), output)
}

/** A report for people: its accuracy in millimetres, or the number of its pose. */
export const toldOf = ({ text, ok, event, number, errors, millimetres }: ToldReport): OutcomeSummary => ({
  text,
  state: ok ? 'done' : 'failed',
  code: ok ? 0 : event,
  value: millimetres ?? (errors as { millimetres?: number } | undefined)?.millimetres ?? number,
})

/** The report of a refused step, with the device's message. */
export function refusedBy(
  step: CalibrationStep,
  answer: HandEyeAnswer,
  why: string,
  more: object = {},
): Report {
  const { status, message } = answer
  const said = say(message ? 'hand-eye-said' : 'hand-eye-status', { message, status })
  return progress(step, { event: 'refused', ok: false, ...more, answer }, [why, said])
}
