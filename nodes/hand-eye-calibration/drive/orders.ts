import { NoAnswer, NodeAnswer, type Outcome } from '../../shared/outcome'
import { posesIn, readStandingPose } from '../../shared/poses'
import type { Inbound } from '../steps'
import { outputs, toldOf } from '../report'
import type { CalibrationStep } from '../session'
import type { DriveOrder } from './driving'
import type { DriveParts } from './parts'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')
const { say } = sentencesOf('hand-eye-calibration/drive')

/** Obeys at once. @throws INVALID_INPUT if nothing is under way; RobotError */
export async function obey(
  order: DriveOrder,
  { driving, deployed }: DriveParts,
  { request, progress }: Pick<Inbound, 'request' | 'progress'>,
): Promise<Outcome> {
  if (order === 'reset') {
    if (!deployed) throw invalidInput('drive-nothing-waits')
    await deployed.robot.reset()
    return said('reset')
  }
  if (order === 'confirm' || order === 'decline') {
    driving.question.answer(order === 'confirm', request)
    return new NoAnswer()
  }
  if (!driving.isBusy) throw invalidInput('drive-not-under-way')
  if (order === 'skip') driving.skip(request)
  else driving[order]()
  if (order === 'pause') progress('paused')
  return said(order)
}

/** The robot of a flow has arrived: where it says that it is, or where it was sent. */
export function arrived({ setup }: CalibrationStep, { read }: Inbound, { driving }: DriveParts): Outcome {
  const given = posesIn(setup.robot, [read('pose')])?.[0]
  const pose = given === undefined ? undefined : readStandingPose(setup.robot, given).pose
  if (driving.arrival.came(pose)) return new NoAnswer()
  throw invalidInput('drive-nothing-waits')
}

const events = {
  pause: 'paused',
  resume: 'resumed',
  skip: 'skipped',
  stop: 'stopping',
  reset: 'reset',
} as const

function said(order: keyof typeof events): NodeAnswer {
  const payload = {
    ...{ event: events[order], ok: true },
    text: say(`line-drive-${order}`),
    details: say(`drive-${order}`),
  }
  return new NodeAnswer({ payload }, toldOf(payload), outputs.progress)
}

/** What was told last about the plan; undefined if nothing was. */
export function latest({ driving }: DriveParts): NodeAnswer | undefined {
  if (!driving.latest) return undefined
  const payload = { ...driving.latest, event: 'status', underWay: driving.isBusy, paused: driving.isPaused }
  return new NodeAnswer({ payload }, toldOf(payload), outputs.progress)
}
