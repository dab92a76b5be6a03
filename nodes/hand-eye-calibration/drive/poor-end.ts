import type { Attempt } from '../../../lib/robotics'
import { NodeAnswer } from '../../shared/outcome'
import { outputs } from '../outputs'
import type { CalibrationStep } from '../step'
import { endInWords, type PoorEnd } from './ends'
import type { DriveParts } from './parts'
import { countsOf, pictureOf } from './plan-report'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** What is told of an end without a result. */
export function poorEnd(
  end: PoorEnd,
  { setup }: CalibrationStep,
  { driving, settings }: Pick<DriveParts, 'driving' | 'settings'>,
  attempts: readonly Attempt[] = [],
): NodeAnswer {
  const reason = end.kind === 'stuck' ? end.reason : end.kind
  const inWords = () => ({
    ...{ event: 'driving-ended', ok: false, reason },
    text: say(end.kind === 'stopped' ? 'line-drive-stopped' : 'line-drive-ended'),
    details: endInWords(end, setup.robot, settings.tag),
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
