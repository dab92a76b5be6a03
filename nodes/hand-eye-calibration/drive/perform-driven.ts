import { NodeAnswer, type Outcome } from '../../shared/outcome'
import type { Command, Inbound } from '../steps'
import type { CalibrationStep } from '../session'
import { checkCamera } from './check-camera'
import { arrived, latest, obey } from './orders'
import type { DriveParts } from './parts'
import type { DriveReport } from './report'
import { lookNow } from './look-now'
import { drive } from './run'
import { touchUp } from './touch-up'
import { sentencesOf } from '../../sentences'

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
