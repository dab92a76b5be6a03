import { sentencesOf } from '../../sentences'
import { NoAnswer, NodeAnswer, type Outcome } from '../../shared/outcome'
import { posesIn, readStandingPose } from '../../shared/poses'
import { outputs, toldOf } from '../report'
import type { CalibrationStep } from '../session'
import type { Command, Inbound } from '../steps'
import { checkCamera, touchUp } from './checks'
import type { DriveOrder } from './driving'
import type { DriveParts } from './settings'
import type { DriveReport } from './reports'
import { drive } from './run'
import { lookNow } from './sightings'

const { invalidInput } = sentencesOf('hand-eye-calibration')

/** Commands that act on the poses of the device, whoever has moved the robot. */
type PlainCommand = Extract<Command, 'calibrate' | 'save' | 'check' | 'cancel' | 'status'>

/** Executes a command for a robot that drives itself. @param plain does what a node without such a robot does */
export async function performDriven(
  command: Command,
  { step, inbound, parts }: { step: CalibrationStep; inbound: Inbound; parts: DriveParts },
  plain: (command: PlainCommand) => Promise<Outcome>,
): Promise<Outcome> {
  const { driving, journal } = parts
  switch (command) {
    case 'start':
    case 'continue':
      return drive(command, step, inbound, parts)
    case 'look':
      return lookNow(inbound, parts)
    case 'check-camera':
      return checkCamera(step, inbound, parts)
    case 'touch-up':
      return touchUp(step, inbound, parts)
    case 'arrived':
      return arrived(step, inbound, parts)
    case 'confirm':
    case 'decline':
    case 'pause':
    case 'resume':
    case 'skip':
    case 'stop':
    case 'reset':
      return obey(command, parts, inbound)
    case 'status':
      return latest(parts) ?? plain(command)
    case 'calibrate':
    case 'check':
    case 'save':
    case 'cancel': {
      if (driving.isBusy) throw invalidInput('drive-under-way')
      const outcome = await plain(command)
      if (isSaved(outcome)) await journal.keep()
      if (command === 'cancel') {
        await journal.end()
        driving.display.begins()
      } else if (command !== 'check' && outcome instanceof NodeAnswer)
        driving.display.finishes(outcome.properties['payload'] as DriveReport)
      return outcome
    }
    default:
      throw invalidInput('drive-not-this', { command })
  }
}

/** Whether the device has saved a result. */
function isSaved(outcome: Outcome): boolean {
  if (!(outcome instanceof NodeAnswer)) return false
  const { saved } = (outcome.properties['payload'] ?? {}) as { saved?: unknown }
  return saved === true
}

const { say } = sentencesOf('hand-eye-calibration/drive')

/** Obeys at once. @throws INVALID_INPUT if nothing is under way; RobotError */
async function obey(
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
function arrived({ setup }: CalibrationStep, { read }: Inbound, { driving }: DriveParts): Outcome {
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
function latest({ driving }: DriveParts): NodeAnswer | undefined {
  if (!driving.latest) return undefined
  const payload = { ...driving.latest, event: 'status', underWay: driving.isBusy, paused: driving.isPaused }
  return new NodeAnswer({ payload }, toldOf(payload), outputs.progress)
}
