import type { Report, ToldReport } from './report'
import { sentencesOf, type SentenceOf } from '../sentences'

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
