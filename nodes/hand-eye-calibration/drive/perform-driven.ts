/** The commands of a driven calibration, with both checks: camera, and touched corner. */
import { sentencesOf } from '../../sentences'
import { NoAnswer, NodeAnswer, type Outcome } from '../../shared/outcome'
import { posesIn, readStandingPose, threeDigits } from '../../shared/poses'
import { outputs, summaryOf, toItsOutput, withText } from '../report'
import type { CalibrationStep } from '../session'
import type { Command, Inbound } from '../steps'
import { type DriveOrder, type DriveDisplay, reportNow } from './driving'
import { type DriveParts, type StoredCalibration, type DriveWork, sightedBy } from './settings'
import { type DriveReport } from './reports'
import { drive, busy } from './run'
import { observeNow, observerOf } from './observations'
import { cameraMovement } from '../../../lib/calibration'
import { cornersOf, type GridPattern } from '../../../lib/images/grid'
import { isAtRest, type RobotState } from '../../../lib/robot-motion'
import { composed, inverted, type Pose, type Vector } from '../../../lib/robotics'
import { checkAt, placeOf, presentCalibration } from '../check'
import { askOperator, driveMover, moved, standingPose } from './confirm'

const { invalidInput } = sentencesOf('hand-eye-calibration')

const { say } = sentencesOf('hand-eye-calibration/drive')

/** Observes the grid again from poses of the calibration: has the camera or the grid moved? */
const checkCamera = (step: CalibrationStep, inbound: Inbound, parts: DriveParts): Promise<Outcome> =>
  busy(step, inbound, parts, { body: compareViews, command: 'check-camera' })

async function compareViews(work: DriveWork): Promise<Outcome> {
  const { journal, settings, step, signal, inbound, send } = work
  if (settings.sightings === 'answers') throw invalidInput('drive-check-by-answers')
  const stored = await journal.saved()
  if (stored?.robotMounted !== settings.plan.robotMounted) throw invalidInput('drive-nothing-kept')
  if ((stored.by ?? 'picture') !== sightedBy(settings)) throw invalidInput('drive-nothing-kept')
  const start = await standingPose(work)
  const mover = driveMover(work, () => number, start)
  const observer = observerOf(work)
  const seen: { robot: Pose; grid: Pose }[] = []
  let number = 0
  for (const robotPose of stored.looks) {
    number += 1
    const place = { number, count: stored.looks.length }
    await moved(work, mover, robotPose, {
      event: 'confirm-motion',
      details: () => say('drive-check-look', place),
      // The path from the current pose was never driven.
      isConfirmed: settings.confirm === 'none' && number > 1,
    })
    inbound.progress('looking', number)
    await step.settle()
    signal.throwIfAborted()
    const { pose: robot } = await mover.standing(signal)
    const grid = await observer.look(signal, expectedAt(stored, robot))
    if (grid) seen.push({ robot, grid })
    send(() => ({
      event: 'looked',
      ok: grid !== undefined,
      ...observer.inWords(place.number),
      ...place,
    }))
  }
  return assessed(work, stored, seen)
}

/** Where the grid is if nothing has moved. */
const expectedAt = ({ robotMounted, camera, grid }: StoredCalibration, robot: Pose): Pose =>
  composed(inverted(composed(robotMounted ? robot : inverted(robot), camera)), grid)

function assessed(
  { step: { setup }, driving }: DriveWork,
  stored: StoredCalibration,
  seen: readonly { robot: Pose; grid: Pose }[],
): Outcome {
  const { display } = driving
  if (seen.length < 2)
    return impossible(display, () => say('drive-check-impossible', { seen: seen.length }), {
      seen: seen.length,
    })
  const limits = { millimetres: setup.limitCheck, degrees: setup.limits.degrees }
  const { metres, degrees, scatter, moved } = cameraMovement(stored, seen, {
    metres: limits.millimetres / 1000,
    degrees: limits.degrees,
  })
  const differing = { millimetres: threeDigits(1000 * scatter.metres), degrees: threeDigits(scatter.degrees) }
  // Inconclusive: the views differ by more than the camera seems to have moved.
  if (!moved && (metres > limits.millimetres / 1000 || degrees > limits.degrees))
    return impossible(display, () => say('drive-check-unclear', differing), { seen: seen.length })
  const off = { millimetres: threeDigits(1000 * metres), degrees: threeDigits(degrees) }
  const since = stored.at.slice(0, 10)
  const values = { ...off, since, limitMillimetres: limits.millimetres, limitDegrees: limits.degrees }
  const inWords = () => ({
    ...{ event: 'camera-checked', ok: !moved, good: !moved, ...off, limits, since: stored.at },
    scatter: differing,
    text: say(moved ? 'line-drive-check-moved' : 'line-drive-check-same', off),
    details: say(moved ? 'drive-check-moved' : 'drive-check-same', values),
  })
  display.end = inWords
  const payload = inWords()
  return new NodeAnswer({ payload }, summaryOf(payload), outputs.result)
}

function impossible(display: DriveDisplay, details: () => string, more: { seen: number }): Outcome {
  const inWords = () => ({
    ...{ event: 'check-impossible', ok: false, ...more },
    text: say('line-drive-check-impossible'),
    details: details(),
  })
  display.end = inWords
  const payload = inWords()
  return new NodeAnswer(
    { payload },
    { text: payload.details, state: 'failed', code: payload.event },
    outputs.progress,
  )
}

/** For jogging the tip to a point, seconds. */
const jogging = 1800

/**
 * Observes the grid, has the operator touch a corner with the tip, and reports the tip's distance from the calibrated
 * position. The operator moves the robot; an unsaved result stays.
 * @throws INVALID_INPUT without a calibration, for a fixed camera, or if the flow moves the robot
 */
async function touchUp(step: CalibrationStep, inbound: Inbound, parts: DriveParts): Promise<Outcome> {
  const { deployed, settings, driving } = parts
  if (!deployed || settings.sightings !== 'picture' || !settings.plan.robotMounted)
    throw invalidInput('drive-no-touch-up')
  const { display } = driving
  const { end } = display
  try {
    return await busy(step, inbound, parts, {
      body: (work) => touched(work, deployed.robot),
      command: 'touch-up',
    })
  } finally {
    display.touches = undefined
    // The result that was shown before is still the one to save.
    if (end && 'errors' in reportNow(end)) display.end = end
  }
}

interface RobotReader {
  read: (signal: AbortSignal) => Promise<RobotState>
}

async function touched(work: DriveWork, robot: RobotReader): Promise<Outcome> {
  const { step, inbound, signal, driving, settings } = work
  const { display } = driving
  display.touches = step.session.result ? 'result' : 'saved'
  const calibration = await presentCalibration(step)
  inbound.progress('looking')
  await step.settle()
  const looked = await robot.read(signal)
  const grid = await observerOf(work).look(signal)
  if (!isAtRest(looked) || !isAtRest(await robot.read(signal))) return ended(display, 'drive-touch-moving')
  if (!grid || !display.view) return ended(display, 'drive-touch-unseen')
  const seen = cornerOf(grid, settings.pattern)
  display.sees({ ...display.view, mark: seen })
  const question = () => ({
    ...{ event: 'confirm-touch', ok: true },
    text: say('line-drive-touch'),
    details: say('drive-touch'),
  })
  const patient = { ...settings, confirmWithin: Math.max(jogging, settings.confirmWithin) }
  const demand = () => say('drive-confirm-touch')
  const answer = await askOperator({ ...work, settings: patient }, question, demand, signal)
  if (answer === 'skip') return ended(display, 'drive-touch-declined')
  const touching = await robot.read(signal)
  if (!isAtRest(touching)) return ended(display, 'drive-touch-moving')
  const mark = { seen, touched: touching.tcp.position, robot: looked.flange }
  const places = {
    expected: millimetres(placeOf(mark, calibration)),
    touched: millimetres(mark.touched),
    tool: millimetres(touching.tcpOffset.position),
  }
  const inWords = () => {
    const report = checkAt(step, [mark], calibration)
    return withText({
      ...report,
      ...places,
      details: [say('drive-touched', places), report.details].join(' '),
    })
  }
  display.touched = inWords
  return toItsOutput(inWords())
}

/** The inner corner nearest to the top left of the picture, in the camera's frame. */
function cornerOf(grid: Pose, pattern: GridPattern): Vector {
  const corners = cornersOf(pattern).map(
    ({ x, y }) =>
      composed(grid, { position: { x, y, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }).position,
  )
  const down = ({ x, y, z }: Vector) => (x + y) / z
  return corners.reduce((best, corner) => (down(corner) < down(best) ? corner : best))
}

const millimetres = ({ x, y, z }: Vector) =>
  [`X ${(1000 * x).toFixed(1)}`, `Y ${(1000 * y).toFixed(1)}`, `Z ${(1000 * z).toFixed(1)}`].join(', ')

function ended(
  display: DriveDisplay,
  why: 'drive-touch-moving' | 'drive-touch-unseen' | 'drive-touch-declined',
): Outcome {
  const inWords = () => ({
    ...{ event: 'touch-up-ended', ok: false },
    text: say('line-drive-touch-ended'),
    details: say(why),
  })
  display.touched = inWords
  const payload = inWords()
  return new NodeAnswer({ payload }, summaryOf(payload), outputs.progress)
}

type PlainCommand = Extract<Command, 'calibrate' | 'save' | 'check' | 'cancel' | 'status'>

/** @param plain handles the commands that do not move the robot */
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
      return observeNow(inbound, parts)
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
      return handleCommand(command, parts, inbound)
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

function isSaved(outcome: Outcome): boolean {
  if (!(outcome instanceof NodeAnswer)) return false
  const { saved } = (outcome.properties['payload'] ?? {}) as { saved?: unknown }
  return saved === true
}

/** Executed at once. @throws INVALID_INPUT if nothing is in progress; RobotError */
async function handleCommand(
  order: DriveOrder,
  { driving, deployed }: DriveParts,
  { request, progress }: Pick<Inbound, 'request' | 'progress'>,
): Promise<Outcome> {
  if (order === 'reset') {
    if (!deployed) throw invalidInput('drive-nothing-waits')
    await deployed.robot.reset()
    return details('reset')
  }
  if (order === 'confirm' || order === 'decline') {
    driving.question.answer(order === 'confirm', request)
    return new NoAnswer()
  }
  if (!driving.isBusy) throw invalidInput('drive-not-under-way')
  if (order === 'skip') driving.skip(request)
  else driving[order]()
  if (order === 'pause') progress('paused')
  return details(order)
}

/** At the reported pose, otherwise at the target. */
function arrived({ setup }: CalibrationStep, { read }: Inbound, { driving }: DriveParts): Outcome {
  const reported = posesIn(setup.robot, [read('pose')])?.[0]
  const pose = reported === undefined ? undefined : readStandingPose(setup.robot, reported).pose
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

function details(order: keyof typeof events): NodeAnswer {
  const payload = {
    ...{ event: events[order], ok: true },
    text: say(`line-drive-${order}`),
    details: say(`drive-${order}`),
  }
  return new NodeAnswer({ payload }, summaryOf(payload), outputs.progress)
}

function latest({ driving }: DriveParts): NodeAnswer | undefined {
  if (!driving.latest) return undefined
  const payload = { ...driving.latest, event: 'status', underWay: driving.isBusy, paused: driving.isPaused }
  return new NodeAnswer({ payload }, summaryOf(payload), outputs.progress)
}
