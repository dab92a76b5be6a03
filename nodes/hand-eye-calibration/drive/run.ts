/** A driven calibration from the first observation to the result, with the grid's pose or with yes and no only. */
import {
  startCalibration,
  differenceOf,
  startCalibrationByAnswers,
  type AnsweredLook,
  type AnswerGo,
  type AnsweringDevice,
  type Judged,
} from '../../../lib/calibration'
import {
  createPlanner,
  type Attempt,
  type Go,
  type Pose,
  identity,
  isSighting,
  type Done,
  type HandEyeResult,
  type Outlier,
} from '../../../lib/robotics'
import { withCode } from '../../shared/sentences'
import type { Outcome } from '../../shared/outcome'
import { type Inbound, start } from '../steps'
import {
  outputs,
  toItsOutput,
  summaryOf,
  type Report,
  calibrate,
  assessed,
  assessedAndSaved,
  resultReport,
} from '../report'
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
  askOperator,
} from './confirm'
import { countsOf, poorEnd, type RepeatableCommand, pictureOf, boundOf, residualsOf } from './reports'
import { reportNow } from './driving'
import { driveSource, lostOnDevice, slotOf } from './observations'
import {
  type DriveParts,
  type DriveWork,
  isTag,
  type StoredCalibration,
  type DriveSettings,
  sightedBy,
} from './settings'
import { sentencesOf } from '../../sentences'
import { residualPlot } from '../../../lib/plots'
import { codeOf, currentLanguage } from '../../shared/node-error'
import { shapedPose, threeDigits } from '../../shared/poses'
import type { CalibrationAnswer, HandEyeDevice } from '../device'

const { say } = sentencesOf('hand-eye-calibration/drive')

const { invalidInput, nodeError } = sentencesOf('hand-eye-calibration')

/** Has the device calibrate, and adds the plan's bound, residuals and comparison. */
async function result(work: DriveWork, { result: own, outliers }: Done): Promise<Report> {
  const { step, journal, inbound, settings } = work
  const attempts = await journal.read()
  const before = await savedBefore(step.device)
  inbound.progress('calibrating')
  await journal.finish(storedCalibration(attempts, own, settings))
  const report = await (isTag(settings.sightings) ? ownResult(step, own, attempts) : calibrate(step))
  if (report['saved'] === true) await journal.keep()
  const now = report['calibration'] as CalibrationAnswer | undefined
  const compared = before && now && before.robot_mounted === now.robot_mounted ? before : undefined
  const comparison = compared && now && inNumbers(differenceOf(compared.pose, now.pose))
  const agreement = now && !isTag(settings.sightings) && inNumbers(differenceOf(own.camera, now.pose))
  const bound = boundOf(own, settings.plan.wanted)
  const residuals = residualsOf(attempts, own, outliers)
  const doubtful = outliers.map(({ index }) => index + 1)
  const details = [
    say('drive-done', { poses: attempts.length, ...bound }),
    report.details,
    ...(agreement ? [say('drive-agreement', agreement)] : []),
    ...(comparison ? [say('drive-compared', comparison)] : []),
    ...(doubtful.length ? [say('drive-doubtful', { numbers: doubtful.join(', ') })] : []),
  ].join(' ')
  return {
    ...report,
    details,
    bound,
    ...countsOf(attempts),
    ...(comparison && { comparison }),
    ...(agreement && { agreement }),
    own: {
      camera: shapedPose(step.setup.robot, own.camera, 'object'),
      cameraText: String(shapedPose(step.setup.robot, own.camera, 'text')),
    },
    residuals,
    ...(doubtful.length && { doubtful }),
    picture: pictureOf(attempts, []),
    residualPicture: residualPlot(
      residuals.map(({ number, millimetres, isBad }) => ({ number, translation: millimetres / 1000, isBad })),
      { language: currentLanguage() ?? 'en-US' },
    ),
  }
}

/** With a tag: the device may never have seen its own grid. */
function ownResult(step: CalibrationStep, own: HandEyeResult, attempts: readonly Attempt[]): Promise<Report> {
  const { setup, session } = step
  const calibration: CalibrationAnswer = {
    ...{ success: true, status: 0, message: '', pose: own.camera, robot_mounted: setup.robotMounted },
    translation_error_meter: own.translationError,
    rotation_error_degree: own.rotationErrorDegrees,
  }
  session.own = calibration
  const judgement = assessed(calibration, setup.limits)
  return assessedAndSaved(
    step,
    resultReport(step, calibration, judgement, [], { poses: countsOf(attempts).seen }),
  )
}

/** Undefined without one, or if the device does not report it. */
async function savedBefore(device: HandEyeDevice): Promise<CalibrationAnswer | undefined> {
  try {
    const saved = await device.savedCalibration()
    return saved.success ? saved : undefined
  } catch (error) {
    if (codeOf(error) === 'NOT_FOUND') return undefined
    throw error
  }
}

/** From metres. */
const inNumbers = ({ metres, degrees }: { metres: number; degrees: number }) => ({
  millimetres: threeDigits(1000 * metres),
  degrees: threeDigits(degrees),
})

/** For a check: two views from different sides, and the start pose last, so that the next check starts there. */
function storedCalibration(
  attempts: readonly Attempt[],
  own: HandEyeResult,
  settings: DriveSettings,
): StoredCalibration {
  const seen = attempts.filter(isSighting)
  const views = seen.filter(({ purpose }) => purpose === 'view').slice(0, 2)
  const looks = [...views, ...seen.slice(0, 1)].map(({ robot }) => robot)
  const { robotMounted } = settings.plan
  return {
    ...{ robotMounted, camera: own.camera, grid: own.grid, looks, at: new Date().toISOString() },
    by: sightedBy(settings),
  }
}

/**
 * Asks about each pose that makes the result too inaccurate, and deletes it on the device. If only the start pose is
 * confirmed, such poses are left out and reported.
 */
async function leaveOut(
  work: DriveWork,
  attempts: readonly Attempt[],
  outliers: readonly Outlier[],
): Promise<void> {
  const { step, settings, signal, send } = work
  const { session, device } = step
  for (const { index, without, with: including } of outliers) {
    if (isAccurate(including, settings.plan.wanted)) continue
    const attempt = attempts[index]
    const slot = attempt && slotOf(session.poses, attempt.robot)
    if (slot === undefined) continue
    const number = index + 1
    const figures = { number, without: millimetres(without), including: millimetres(including) }
    const report = (event: string) => ({
      ...{ event, ok: false, number, text: say('line-drive-misfit', { number }) },
      details: say('drive-misfit', figures),
    })
    if (settings.confirm !== 'none') {
      const answer = await askOperator(
        work,
        () => report('confirm-leave-out'),
        () => say('drive-leave-out', { number }),
        signal,
      )
      if (answer === 'skip') continue
    }
    const { success } = await device.deletePose(slot)
    if (!success) continue
    session.poses.delete(slot)
    send(() => ({ ...report('left-out'), text: say('line-drive-misfit-out', { number }) }))
  }
}

/** Poses with little influence are not asked about. */
const isAccurate = (
  { translation, rotationDegrees }: Outlier['with'],
  goal: { metres: number; degrees: number } = { metres: 0.001, degrees: 0.1 },
): boolean => translation <= goal.metres && rotationDegrees <= goal.degrees

/** A set without a result has no bound. */
const millimetres = ({ translation }: { translation: number }): string =>
  Number.isFinite(translation) ? String(threeDigits(1000 * translation)) : '∞'

/**
 * Calibrates with a device that only reports whether it sees the grid, and assesses its own result. Without sightings there
 * is no bound, no outlier, and no camera check later.
 * @throws INVALID_INPUT if the device has lost its poses
 */
async function calibratedByAnswers(work: DriveWork, start: Pose): Promise<Outcome> {
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
    // The grid's pose is unknown: no further pose can be predicted.
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
      read: async () => (await journal.read()).map(observationOf),
      append: async (observation) => {
        await journal.append(attemptOf(observation))
        driving.display.attempts = attempts = await journal.read()
      },
    },
    confirm: (move, signal) => confirm({ ...move, views: 0, outliers: [] }, signal),
    onProgress: (move) => (current = move.kind === 'go' ? move : undefined),
  })
  driving.steers(run)
  const end = await run.end
  if (end.kind !== 'judged') return poorEnd(end, step, work, { attempts })
  return toItsOutput(await assessedByDevice(work, end, attempts))
}

/** The flow's device, with its last accuracy. */
function answeringDevice({ step, inbound, send }: DriveWork, numberOf: () => number) {
  let accuracy: { metres: number; degrees: number } | undefined
  const device: AnsweringDevice = {
    record: async (slot, flange, signal) => {
      const number = numberOf()
      inbound.progress('looking', number)
      await step.settle()
      signal.throwIfAborted()
      const { success } = await step.session.record(step.device, slot, flange)
      send(() => ({
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

async function assessedByDevice(
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

/** The device must have these; a repeated pose takes no slot. */
const recorded = (attempts: readonly Attempt[]) =>
  attempts.filter((each) => isSighting(each) && each.purpose !== 'again').length

/** The journal stores that the grid was seen, not where. */
const attemptOf = ({ seen, ...observation }: AnsweredLook): Attempt => ({
  ...observation,
  ...(seen && { grid: identity() }),
})

const observationOf = (attempt: Attempt): AnsweredLook => ({
  purpose: attempt.purpose === 'taught' || attempt.purpose === 'again' ? attempt.purpose : 'turn',
  robot: attempt.robot,
  seen: isSighting(attempt),
  ...(attempt.skipped && { skipped: true }),
})

/**
 * Calibrates, or continues from the journal; resolves with the result or the obstacle.
 * @throws errors of robot, device or journal; the robot is then at rest, and `continue` resumes
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
 * One run at a time, ended by a stop, always with a report.
 * @param command that repeats it; after `start`, `continue` resumes from the journal
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
    const send: DriveWork['send'] = (content) => {
      const report = reportNow(content)
      display.reports(content, report)
      inbound.notify(outputs.progress, { payload: report }, summaryOf(report))
    }
    try {
      const outcome = await body({ ...parts, step, inbound: display.watched(inbound), signal, send })
      display.ends(outcome)
      return outcome
    } catch (error) {
      if (closing.aborted) throw nodeError('ABORTED', 'node-closed')
      const { isUnderWay } = await parts.journal.overview()
      const again = command === 'start' && isUnderWay ? 'continue' : command
      const elsewhere = error instanceof MovedAway && error.end
      if (signal.aborted || elsewhere)
        return poorEnd(elsewhere || { kind: 'stopped' }, step, parts, { again })
      display.failed(error)
      if (again === 'continue')
        send({
          ...{ event: 'interrupted', ok: false, text: say('line-drive-interrupted') },
          details: say('drive-interrupted', { problem: withCode(error).message }),
        })
      throw error
    } finally {
      await showRest(step, inbound, parts)
    }
  })
}

async function showRest(
  { session }: CalibrationStep,
  { rest }: Inbound,
  { journal }: DriveParts,
): Promise<void> {
  const { isUnderWay } = await journal.overview()
  if (session.result) rest('calibrated')
  else if (isUnderWay) rest('interrupted')
  else rest()
}

async function begun(work: DriveWork): Promise<Outcome> {
  const { step, journal, send } = work
  const at = await standingPose(work)
  const report = await start(step)
  if (!report.ok) return toItsOutput(report)
  await journal.begin(settingsOf(work))
  send({ ...report, text: say('line-drive-started') })
  return calibrated(work, at)
}

async function continued(work: DriveWork): Promise<Outcome> {
  const { step, journal, send } = work
  const state = await journal.canContinue(settingsOf(work))
  if (state === 'nothing') throw invalidInput('drive-nothing-to-continue')
  if (state === 'other-settings') throw invalidInput('drive-other-settings')
  const at = await standingPose(work)
  const noticed = await caughtUp(step, { isDriven: true })
  const attempts = withoutUnseen(await journal.read())
  await journal.replace(attempts)
  send({
    ...{ event: 'continued', ok: true, text: say('line-drive-continued', { poses: attempts.length }) },
    details: [say('drive-continued', { poses: attempts.length }), ...noticed].join(' '),
    ...countsOf(attempts),
  })
  return calibrated(work, at)
}

/** Attempts with other settings do not apply. */
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
    // The operator may calibrate and save what there is.
    if (end.kind === 'stuck' && end.result)
      await journal.finish(storedCalibration(attempts, end.result, settings))
    return poorEnd(end, step, work, { attempts, problem: source.problem })
  }
  driving.ended()
  if (!isTag(settings.sightings)) {
    await recordAgain(work, mover, attempts)
    await leaveOut(work, attempts, end.outliers)
  }
  return toItsOutput(await result(work, end))
}

/** The device's own calibration needs the poses that it has lost. */
async function recordAgain(work: DriveWork, mover: DriveMover, attempts: readonly Attempt[]): Promise<void> {
  const { step, send, signal, inbound } = work
  await step.session.learn(step.device)
  const lost = lostOnDevice(step.session.poses, attempts)
  if (!lost.length) return
  const details = () => say('drive-again-on-device', { count: lost.length })
  send(() => ({ event: 'recording-again', ok: true, text: say('line-drive-again'), details: details() }))
  for (const [index, pose] of lost.entries()) {
    await moved(work, mover, pose, { event: 'confirm-motion', details })
    inbound.progress('looking', index + 1)
    await step.settle()
    signal.throwIfAborted()
    const slot = step.session.slotFor(pose)
    if (slot !== undefined) await step.session.record(step.device, slot, pose)
  }
}
