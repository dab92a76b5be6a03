import {
  differenceOf,
  startCalibrationByAnswers,
  type AnsweredLook,
  type AnswerGo,
  type AnsweringDevice,
  type Judged,
} from '../../../lib/calibration'
import { identity, isSighting, type Attempt, type Pose } from '../../../lib/robotics'
import type { Outcome } from '../../shared/outcome'
import { calibrate } from '../result'
import { type Report, toItsOutput } from '../report'
import { backToLast, confirmation, driveMover, notingFailures } from './confirm'
import type { DriveWork } from './settings'
import { countsOf, pictureOf, poorEnd } from './reports'
import { inNumbers, savedBefore } from './result'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')
const { say } = sentencesOf('hand-eye-calibration/drive')

/**
 * Calibrates with a device that only says whether it sees the grid, and judges its own result. Without sightings there is no
 * bound, no pose is named that does not fit, and nothing to check the camera against later.
 * @throws INVALID_INPUT if the device has lost the poses from which it calibrates
 */
export async function calibratedByAnswers(work: DriveWork, start: Pose): Promise<Outcome> {
  const { step, journal, driving, settings } = work
  let attempts = await journal.read()
  driving.display.attempts = attempts
  const listed = await step.device.poses()
  if (listed && listed.size < recorded(attempts)) throw invalidInput('drive-answers-lost')
  let current: AnswerGo | undefined
  const mover = driveMover(work, () => attempts.length + 1, start)
  await backToLast(work, mover, attempts)
  const { device, stated } = answeringDevice(work, () => attempts.length + 1)
  const confirm = confirmation(work, {
    // Where the grid will be seen is not known, so that no further pose can be foreseen.
    next: () => ({ kind: 'stuck', reason: 'grid-lost', views: 0, seen: 0, outliers: [] }),
    attempts: () => attempts,
    at: mover.at,
    remark: stated,
  })
  const run = startCalibrationByAnswers({
    settings: settings.answers,
    device,
    mover: notingFailures(mover, async () => {
      if (current) await journal.append({ purpose: current.purpose, robot: current.pose, skipped: true })
    }),
    journal: {
      read: async () => (await journal.read()).map(lookOf),
      append: async (look) => {
        await journal.append(attemptOf(look))
        driving.display.attempts = attempts = await journal.read()
      },
    },
    confirm: (move, signal) => confirm({ ...move, views: 0, outliers: [] }, signal),
    onProgress: (move) => (current = move.kind === 'go' ? move : undefined),
  })
  driving.steers(run)
  const end = await run.end
  if (end.kind !== 'judged') return poorEnd(end, step, work, { attempts })
  return toItsOutput(await judgedByDevice(work, end, attempts))
}

/** The device of the flow, and what it stated last, in words. */
function answeringDevice({ step, inbound, tell }: DriveWork, numberOf: () => number) {
  let accuracy: { metres: number; degrees: number } | undefined
  const device: AnsweringDevice = {
    record: async (slot, hand, signal) => {
      const number = numberOf()
      inbound.progress('looking', number)
      await step.settle()
      signal.throwIfAborted()
      const { success } = await step.session.record(step.device, slot, hand)
      tell(() => ({
        ...{ event: 'looked', ok: success, number, seenHere: success },
        text: say(success ? 'line-drive-seen' : 'line-drive-unseen', { number }),
        details: say(success ? 'drive-seen' : 'drive-unseen-by-device', { number }),
      }))
      return success
    },
    calibrate: async () => {
      const answer = await step.device.calibrate()
      if (!answer.success) return undefined
      const { translation_error_meter: metres, rotation_error_degree: degrees } = answer
      accuracy = metres === undefined || degrees === undefined ? undefined : { metres, degrees }
      return { camera: answer.pose, accuracy }
    },
  }
  const stated = () => accuracy && say('drive-stated', inNumbers(accuracy))
  return { device, stated }
}

async function judgedByDevice(
  { step, journal, inbound }: DriveWork,
  { seen }: Judged,
  attempts: readonly Attempt[],
): Promise<Report> {
  const before = await savedBefore(step.device)
  inbound.progress('calibrating')
  await journal.finish(undefined)
  const report = await calibrate(step)
  if (report['saved'] === true) await journal.keep()
  const now = report['calibration'] as typeof before
  const isComparable = before && now && before.robot_mounted === now.robot_mounted
  const comparison = isComparable && inNumbers(differenceOf(before.pose, now.pose))
  return {
    ...report,
    details: [
      say('drive-judged', { poses: seen }),
      report.details,
      ...(comparison ? [say('drive-compared', comparison)] : []),
    ].join(' '),
    ...countsOf(attempts),
    ...(comparison && { comparison }),
    picture: pictureOf(attempts, []),
  }
}

/** Poses that the device must have: a second look at one takes no slot. */
const recorded = (attempts: readonly Attempt[]) =>
  attempts.filter((each) => isSighting(each) && each.purpose !== 'again').length

/** In a journal, seen is seen: where, is not known. */
const attemptOf = ({ seen, ...look }: AnsweredLook): Attempt => ({
  ...look,
  ...(seen && { grid: identity() }),
})

const lookOf = (attempt: Attempt): AnsweredLook => ({
  purpose: attempt.purpose === 'taught' || attempt.purpose === 'again' ? attempt.purpose : 'turn',
  robot: attempt.robot,
  seen: isSighting(attempt),
  ...(attempt.skipped && { skipped: true }),
})
