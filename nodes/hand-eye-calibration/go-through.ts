import { NodeAnswer, type Outcome } from '../shared/outcome'
import type { Inbound } from './inbound'
import { outputs, toItsOutput, toldOf } from './outputs'
import type { Report, ToldReport } from './report'
import type { CalibrationStep } from './step'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/**
 * The next pose of the list: requests the robot's move to it or, if the list does not wait, continues at once.
 * @param report of the previous step
 */
export function onward({ setup, session }: CalibrationStep, inbound: Inbound, report: Report): Outcome {
  const { list } = session
  if (!list) return toItsOutput(report)
  if (!setup.listWaits) {
    inbound.goOn(list)
    return toItsOutput(report)
  }
  const place = { number: list.next + 1, poses: list.targets.length }
  const text = say('hand-eye-move', place)
  const progress: ToldReport = { ...report, text, details: `${report.details} ${text}` }
  inbound.tell(outputs.progress, { payload: progress }, toldOf(progress))
  const { command, pose } = inbound.answerBy
  // If the robot returns this message unchanged, it means that the pose was reached.
  const properties = {
    [pose]: list.targets[list.next],
    ...(command !== undefined && { [command]: 'arrived' }),
    move: { ...place, text },
  }
  return new NodeAnswer(properties, { text, value: place.number, state: 'working' }, outputs.move)
}
