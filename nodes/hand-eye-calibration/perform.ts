import { sentencesOf } from '../sentences'
import { NodeAnswer, type Outcome } from '../shared/outcome'
import { posesIn } from '../shared/poses'
import { check } from './check'
import type { DriveParts } from './drive/settings'
import { performDriven } from './drive/perform-driven'
import {
  outputs,
  type Report,
  toItsOutput,
  withText,
  summaryOf,
  type ReportedResult,
  calibrate,
  save,
} from './report'
import { type CalibrationStep, caughtUp, type PoseList, progress } from './session'
import {
  cancel,
  type Command,
  commandOf,
  type Inbound,
  poseList,
  poseNumber,
  record,
  start,
  undo,
} from './steps'

const { invalidInput, say } = sentencesOf('hand-eye-calibration')

/** @param parts of a robot that drives itself */
export async function perform(
  step: CalibrationStep,
  inbound: Inbound,
  parts?: () => DriveParts,
): Promise<Outcome> {
  const { session } = step
  try {
    if (parts) return await driven(step, inbound, parts())
    return await steps[commandIn(step, inbound)](step, inbound)
  } catch (error) {
    // The node's own step is not repeated.
    if (inbound.ownStep && inbound.ownStep === session.list) session.list = undefined
    throw error
  } finally {
    if (!parts) showState(step, inbound)
  }
}

function commandIn({ setup }: CalibrationStep, { read, ownStep }: Inbound): Command {
  if (ownStep) return 'arrived'
  const command = commandOf(read('command'))
  if (command) return command
  return (posesIn(setup.robot, read('pose'))?.length ?? 0) > 1 ? 'run' : 'pose'
}

function driven(step: CalibrationStep, inbound: Inbound, parts: DriveParts): Promise<Outcome> {
  const command = commandOf(inbound.read('command'))
  if (command === undefined) throw invalidInput('drive-command-missing')
  const done = performDriven(command, { step, inbound, parts }, (plain) => steps[plain](step, inbound))
  return done.finally(() => parts.driving.changed())
}

function refuse(): never {
  throw invalidInput('drive-not-set')
}

const steps: Record<Command, (step: CalibrationStep, inbound: Inbound) => Promise<Outcome>> = {
  start: async (step) => toItsOutput(await start(step)),
  cancel: async (step) => toItsOutput(await cancel(step)),
  undo: async (step, { number }) => toItsOutput(await undo(step, poseNumber(number))),
  save: async (step) => toItsOutput(await save(step)),
  check: async (step, { read }) => toItsOutput(await check(step, read('pose'))),
  calibrate: async (step, { progress: show }) => {
    show('calibrating')
    return toItsOutput(await calibrate(step))
  },
  status: async (step) => {
    const noticed = await caughtUp(step)
    const state = say('hand-eye-state', { poses: step.session.poses.size })
    return toItsOutput(progress(step, { event: 'status' }, [state, ...noticed]))
  },
  ...{
    continue: refuse,
    look: refuse,
    'check-camera': refuse,
    'touch-up': refuse,
    confirm: refuse,
    decline: refuse,
    pause: refuse,
  },
  ...{ resume: refuse, skip: refuse, stop: refuse, reset: refuse },
  run: async (step, inbound) => {
    const list = poseList(step.setup.robot, inbound.read('pose'))
    const report = await start(step)
    if (report.ok) step.session.list = list
    return onward(step, inbound, report)
  },
  pose: async (step, inbound) => {
    const value = inbound.read('pose')
    const number = poseNumber(inbound.number)
    const { list } = step.session
    if (list && number === undefined) return reached(step, inbound, list, value)
    return toItsOutput(await recorded(step, inbound, value, number))
  },
  arrived: async (step, inbound) => {
    const { list } = step.session
    if (inbound.ownStep && inbound.ownStep !== list)
      return toItsOutput(progress(step, { event: 'list-ended' }, [say('hand-eye-list-ended')]))
    if (!list) throw invalidInput('hand-eye-no-list')
    return reached(step, inbound, list, poseOf(step, inbound) ?? list.targets[list.next])
  },
}

/** A robot may answer with its pose, or only with a command. */
const poseOf = ({ setup }: CalibrationStep, { ownStep, read }: Inbound): unknown =>
  ownStep ? undefined : posesIn(setup.robot, [read('pose')])?.[0]

/** List poses keep their number; after the last, the calibration follows. */
async function reached(
  step: CalibrationStep,
  inbound: Inbound,
  list: PoseList,
  value: unknown,
): Promise<Outcome> {
  const report = await recorded(step, inbound, value, list.next + 1)
  list.next += 1
  if (list.next < list.targets.length) return onward(step, inbound, report)
  step.session.list = undefined
  const payload = withText(report)
  inbound.notify(outputs.progress, { payload }, summaryOf(payload))
  return steps.calibrate(step, inbound)
}

function recorded(step: CalibrationStep, inbound: Inbound, value: unknown, number?: number): Promise<Report> {
  inbound.progress('looking', number ?? step.session.poses.size + 1)
  return record(step, value, number)
}

function showState({ session, setup }: CalibrationStep, { rest }: Inbound): void {
  if (session.list && setup.listWaits) rest('waitsForRobot', session.list.next + 1)
  else if (session.result) rest('calibrated')
  else if (session.poses.size) rest('poses', session.poses.size)
  else rest()
}

/**
 * Requests the move to the next pose of the list or, if the list does not wait, continues at once.
 * @param report of the previous step
 */
function onward({ setup, session }: CalibrationStep, inbound: Inbound, report: Report): Outcome {
  const { list } = session
  if (!list) return toItsOutput(report)
  if (!setup.listWaits) {
    inbound.goOn(list)
    return toItsOutput(report)
  }
  const place = { number: list.next + 1, poses: list.targets.length }
  const text = say('hand-eye-move', place)
  const progress: ReportedResult = { ...report, text, details: `${report.details} ${text}` }
  inbound.notify(outputs.progress, { payload: progress }, summaryOf(progress))
  const { command, pose } = inbound.answerBy
  // Returned unchanged, this message means that the pose was reached.
  const properties = {
    [pose]: list.targets[list.next],
    ...(command !== undefined && { [command]: 'arrived' }),
    move: { ...place, text },
  }
  return new NodeAnswer(properties, { text, value: place.number, state: 'working' }, outputs.move)
}
