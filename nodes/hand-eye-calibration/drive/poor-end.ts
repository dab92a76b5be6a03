import type { Attempt } from '../../../lib/robotics'
import { NodeAnswer } from '../../shared/outcome'
import { outputs } from '../report'
import type { CalibrationStep } from '../session'
import { endInWords, type EndContext, type PoorEnd } from './ends'
import type { DriveParts } from './parts'
import { countsOf, pictureOf } from './plan-report'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('hand-eye-calibration/drive')

/** What is told of an end without a result. */
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
    /** Why the last look saw nothing, where moving the robot does not help. */
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
