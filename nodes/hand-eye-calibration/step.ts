import { coverageOf, type Advice } from './coverage'
import type { OwnSight } from './explain'
import type { HandEyeDevice } from './hand-eye-device'
import type { Report } from './report'
import type { Session, PoseMismatch } from './session'
import type { Setup } from './setup'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/** What a step of the procedure works with. */
export interface CalibrationStep {
  setup: Setup
  session: Session
  device: HandEyeDevice
  /** Resolves when the robot has settled; rejects if the node closes. */
  settle: () => Promise<void>
  /** Looks at the grid in a picture of our own; undefined where the robot drives itself, which does so anyway. */
  look?: (() => Promise<OwnSight>) | undefined
}

/**
 * Synchronises the node with the device's poses, and the device's settings with the dialog.
 * @param isDriven the robot drives itself, and records lost poses again where that is needed
 */
export async function caughtUp(
  { setup, session, device }: CalibrationStep,
  { isDriven = false }: { isDriven?: boolean } = {},
): Promise<string[]> {
  const set = await device.configure(setup.parameters)
  const surprise = await session.learn(device)
  return [
    ...(set.length ? [say('hand-eye-settings', { names: set.join(', ') })] : []),
    ...told(surprise, isDriven),
  ]
}

function told({ found, lost }: PoseMismatch, isDriven: boolean): string[] {
  const lostKey = isDriven ? 'hand-eye-lost-driven' : 'hand-eye-lost'
  return [
    ...(lost.length ? [say(lostKey, { numbers: lost.join(', ') })] : []),
    ...(found.length ? [say('hand-eye-found', { numbers: found.join(', ') })] : []),
  ]
}

/** A report with the state of the poses; its text says what happened, what else was noticed, and what helps most. */
export function progress(
  { setup, session }: CalibrationStep,
  { event, ok = true, ...more }: { event: string; ok?: boolean } & Record<string, unknown>,
  said: readonly string[],
): Report {
  const [coverage, advice] = coverageOf(setup, session)
  const details = [...said, ...brief(event, advice, session.list !== undefined)].join(' ')
  return { event, ok, details, ...more, ...coverage }
}

/** Somebody in front of a robot can take in two things at a time. */
function brief(event: string, { problems, few, next }: Advice, inList: boolean): string[] {
  if (event === 'started') return []
  // If a list determines the next pose, only problems matter.
  if (inList) return problems.slice(0, 1)
  const why = [...problems, ...few].slice(0, 1)
  return event === 'pose-stored' ? [...next, ...why] : [...why, ...next]
}
