import { coverageOf } from './coverage'
import { explanationOf } from './explain'
import { judged } from './judgement'
import { refusedBy } from './refused'
import type { Report, ResultReport } from './report'
import { resultReport } from './result'
import { save } from './save'
import { caughtUp, progress, type CalibrationStep } from './step'
import { sentencesOf, type SentenceOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

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
