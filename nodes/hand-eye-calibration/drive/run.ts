import { startCalibration } from '../../../lib/calibration'
import { createPlanner, type Attempt, type Go, type Pose } from '../../../lib/robotics'
import { withCode } from '../../shared/as-sentence'
import type { Outcome } from '../../shared/outcome'
import { type Inbound, start } from '../steps'
import { outputs, toItsOutput, toldOf } from '../report'
import { caughtUp, type CalibrationStep } from '../session'
import {
  backToLast,
  confirmation,
  driveMover,
  type DriveMover,
  moved,
  MovedAway,
  notingFailures,
  standingPose,
  withoutUnseen,
} from './confirm'
import { calibratedByAnswers } from './by-answers'
import { countsOf, poorEnd, type RepeatableCommand } from './reports'
import { reportNow } from './driving'
import { keptOf, leaveOut, result } from './result'
import { driveSource, lostOnDevice } from './sightings'
import { type DriveParts, type DriveWork, isTag } from './settings'
import { sentencesOf } from '../../sentences'

const { invalidInput, nodeError } = sentencesOf('hand-eye-calibration')

const { say } = sentencesOf('hand-eye-calibration/drive')

/**
 * Calibrates with a robot that drives itself, or continues what the journal has. Resolves when the result is there, or with
 * what stands in the way.
 * @throws what the robot, the device or the journal failed with; the robot then stands, and `continue` goes on
 */
export const drive = (
  how: 'start' | 'continue',
  step: CalibrationStep,
  inbound: Inbound,
  parts: DriveParts,
): Promise<Outcome> =>
  busy(step, inbound, parts, {
    body: (work) => (how === 'start' ? begun(work) : continued(work)),
    command: 'start',
  })

/**
 * Does work of the robot: one at a time, ended by a stop, with a sentence however it ends.
 * @param command that does the same again; after `start`, `continue` goes on with what is in the journal
 */
export async function busy(
  step: CalibrationStep,
  inbound: Inbound,
  parts: DriveParts,
  { body, command }: { body: (work: DriveWork) => Promise<Outcome>; command: RepeatableCommand },
): Promise<Outcome> {
  const { driving, closing } = parts
  if (driving.isBusy) throw invalidInput('drive-under-way')
  const { display } = driving
  return driving.work(closing, async (signal) => {
    const tell: DriveWork['tell'] = (told) => {
      const report = reportNow(told)
      display.tells(told, report)
      inbound.tell(outputs.progress, { payload: report }, toldOf(report))
    }
    try {
      const outcome = await body({ ...parts, step, inbound: display.watched(inbound), signal, tell })
      display.ends(outcome)
      return outcome
    } catch (error) {
      if (closing.aborted) throw nodeError('ABORTED', 'node-closed')
      const again = command === 'start' && (await isUnderWay(parts)) ? 'continue' : command
      const elsewhere = error instanceof MovedAway && error.end
      if (signal.aborted || elsewhere)
        return poorEnd(elsewhere || { kind: 'stopped' }, step, parts, { again })
      display.failed(error)
      if (again === 'continue')
        tell({
          ...{ event: 'interrupted', ok: false, text: say('line-drive-interrupted') },
          details: say('drive-interrupted', { problem: withCode(error).message }),
        })
      throw error
    } finally {
      await showRest(step, inbound, parts)
    }
  })
}

/** What the node shows until the next message. */
async function showRest({ session }: CalibrationStep, { rest }: Inbound, parts: DriveParts): Promise<void> {
  const waits = await isUnderWay(parts)
  if (session.result) rest('calibrated')
  else if (waits) rest('interrupted')
  else rest()
}

const isUnderWay = ({ journal }: DriveParts) => journal.isUnderWay().catch(() => false)

async function begun(work: DriveWork): Promise<Outcome> {
  const { step, journal, tell } = work
  const at = await standingPose(work)
  const report = await start(step)
  if (!report.ok) return toItsOutput(report)
  await journal.begin(settingsOf(work))
  tell({ ...report, text: say('line-drive-started') })
  return calibrated(work, at)
}

async function continued(work: DriveWork): Promise<Outcome> {
  const { step, journal, tell } = work
  const state = await journal.canContinue(settingsOf(work))
  if (state === 'nothing') throw invalidInput('drive-nothing-to-continue')
  if (state === 'other-settings') throw invalidInput('drive-other-settings')
  const at = await standingPose(work)
  const noticed = await caughtUp(step, { isDriven: true })
  const attempts = withoutUnseen(await journal.read())
  await journal.replace(attempts)
  tell({
    ...{ event: 'continued', ok: true, text: say('line-drive-continued', { poses: attempts.length }) },
    details: [say('drive-continued', { poses: attempts.length }), ...noticed].join(' '),
    ...countsOf(attempts),
  })
  return calibrated(work, at)
}

/** Attempts with other settings say nothing about these. */
const settingsOf = ({ step, settings }: DriveWork): string =>
  JSON.stringify([
    step.setup.parameters,
    ...{
      picture: [settings.pattern.rows, settings.pattern.columns],
      ...{ april: ['april', settings.tag], qr: ['qr', settings.tag], answers: ['answers'] },
    }[settings.sightings],
  ])

const calibrated = (work: DriveWork, start: Pose): Promise<Outcome> =>
  work.settings.sightings === 'answers' ? calibratedByAnswers(work, start) : calibratedByPlan(work, start)

async function calibratedByPlan(work: DriveWork, start: Pose): Promise<Outcome> {
  const { step, journal, driving, settings, signal, camera } = work
  let attempts: readonly Attempt[] = await journal.read()
  driving.display.attempts = attempts
  let current: Go | undefined
  const mover = driveMover(work, () => attempts.length + 1, start)
  await backToLast(work, mover, attempts)
  const { next } = createPlanner({ ...settings.plan, camera: await camera(signal) })
  const source = driveSource(work, () => ({
    attempts,
    purpose: current?.purpose ?? 'taught',
    robot: mover.at() ?? start,
  }))
  const run = startCalibration({
    next,
    journal: {
      read: () => journal.read(),
      append: async (attempt) => {
        await journal.append(attempt)
        driving.display.attempts = attempts = await journal.read()
      },
    },
    mover: notingFailures(mover, async () => {
      if (current) await journal.append({ purpose: current.purpose, robot: current.pose, skipped: true })
    }),
    source,
    confirm: confirmation(work, { next, attempts: () => attempts, at: mover.at }),
    onProgress: (move) => (current = move.kind === 'go' ? move : undefined),
  })
  driving.steers(run)
  const end = await run.end
  if (end.kind !== 'done') {
    // A person may calibrate and save what there is.
    if (end.kind === 'stuck' && end.result) await journal.finish(keptOf(attempts, end.result, settings))
    return poorEnd(end, step, work, { attempts, problem: source.problem })
  }
  driving.ended()
  if (!isTag(settings.sightings)) {
    await recordedAgain(work, mover, attempts)
    await leaveOut(work, attempts, end.outliers)
  }
  return toItsOutput(await result(work, end))
}

/** Poses that the device has lost are recorded again: its own calibration needs them. */
async function recordedAgain(
  work: DriveWork,
  mover: DriveMover,
  attempts: readonly Attempt[],
): Promise<void> {
  const { step, tell, signal, inbound } = work
  await step.session.learn(step.device)
  const lost = lostOnDevice(step.session.poses, attempts)
  if (!lost.length) return
  const details = () => say('drive-again-on-device', { count: lost.length })
  tell(() => ({ event: 'recording-again', ok: true, text: say('line-drive-again'), details: details() }))
  for (const [index, pose] of lost.entries()) {
    await moved(work, mover, pose, { event: 'confirm-motion', details })
    inbound.progress('looking', index + 1)
    await step.settle()
    signal.throwIfAborted()
    const slot = step.session.slotFor(pose)
    if (slot !== undefined) await step.session.record(step.device, slot, pose)
  }
}
