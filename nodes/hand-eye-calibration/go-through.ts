import { ToOutput, type Outcome } from '../shared/handle-input'
import { say } from '../shared/say'
import type { Inbound } from './inbound'
import { outputs, toItsOutput } from './outputs'
import type { PoseList } from './session'
import type { Report, Step } from './step'

/**
 * The next pose of the list: tells the robot to move there, or goes there by itself where nobody is waited for.
 * @param report of the step before
 */
export function onward({ setup, session }: Step, inbound: Inbound, report: Report): Outcome {
  const { list } = session
  if (!list) return toItsOutput(report)
  if (!setup.listWaits) {
    inbound.goOn(list)
    return toItsOutput(report)
  }
  inbound.tell(outputs.progress, { payload: report })
  return new ToOutput(outputs.move, move(list, inbound))
}

/** Sent back by the robot as it is, this message says that the pose was reached. */
function move({ targets, next }: PoseList, { answerBy }: Inbound) {
  const place = { number: next + 1, poses: targets.length }
  return {
    [answerBy.pose]: targets[next],
    ...(answerBy.command !== undefined && { [answerBy.command]: 'arrived' }),
    move: { ...place, text: say('hand-eye-move', place) },
  }
}
