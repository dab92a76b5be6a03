import { cameraMovement } from '../../../lib/calibration'
import { cornersOf, type GridPattern } from '../../../lib/images/grid'
import { isAtRest, type RobotState } from '../../../lib/robot-motion'
import { composed, inverted, type Pose, type Vector } from '../../../lib/robotics'
import { sentencesOf } from '../../sentences'
import { NodeAnswer, type Outcome } from '../../shared/outcome'
import { checkAt, placeOf, presentCalibration } from '../check'
import { outputs, toItsOutput, told, toldOf } from '../report'
import type { CalibrationStep } from '../session'
import type { Inbound } from '../steps'
import { asked, driveMover, moved, standingPose } from './confirm'
import { type DriveDisplay, reportNow } from './driving'
import type { KeptCalibration } from './journal'
import { type DriveParts, type DriveWork, sightedBy } from './settings'
import { short } from './reports'
import { busy } from './run'
import { sightingsOf } from './sightings'

const { invalidInput } = sentencesOf('hand-eye-calibration')

const { say } = sentencesOf('hand-eye-calibration/drive')

/** Looks at the grid again from poses of the calibration, without calibrating: whether the camera, or the grid, has moved. */
export const checkCamera = (step: CalibrationStep, inbound: Inbound, parts: DriveParts): Promise<Outcome> =>
  busy(step, inbound, parts, { body: checked, command: 'check-camera' })

async function checked(work: DriveWork): Promise<Outcome> {
  const { journal, settings, step, signal, inbound, tell } = work
  if (settings.sightings === 'answers') throw invalidInput('drive-check-by-answers')
  const kept = await journal.saved()
  if (kept?.robotMounted !== settings.plan.robotMounted) throw invalidInput('drive-nothing-kept')
  if ((kept.by ?? 'picture') !== sightedBy(settings)) throw invalidInput('drive-nothing-kept')
  const start = await standingPose(work)
  const mover = driveMover(work, () => number, start)
  const sightings = sightingsOf(work)
  const seen: { robot: Pose; grid: Pose }[] = []
  let number = 0
  for (const look of kept.looks) {
    number += 1
    const place = { number, count: kept.looks.length }
    await moved(work, mover, look, {
      event: 'confirm-motion',
      details: () => say('drive-check-look', place),
      // The way from wherever the robot stands was never driven.
      isConfirmed: settings.confirm === 'none' && number > 1,
    })
    inbound.progress('looking', number)
    await step.settle()
    signal.throwIfAborted()
    const { pose: robot } = await mover.standing(signal)
    const grid = await sightings.look(signal, expectedAt(kept, robot))
    if (grid) seen.push({ robot, grid })
    tell(() => ({
      event: 'looked',
      ok: grid !== undefined,
      ...sightings.inWords(place.number),
      ...place,
    }))
  }
  return judged(work, kept, seen)
}

/** How the grid is seen if nothing has moved. */
const expectedAt = ({ robotMounted, camera, grid }: KeptCalibration, robot: Pose): Pose =>
  composed(inverted(composed(robotMounted ? robot : inverted(robot), camera)), grid)

function judged(
  { step: { setup }, driving }: DriveWork,
  kept: KeptCalibration,
  seen: readonly { robot: Pose; grid: Pose }[],
): Outcome {
  const { display } = driving
  if (seen.length < 2)
    return impossible(display, () => say('drive-check-impossible', { seen: seen.length }), {
      seen: seen.length,
    })
  const limits = { millimetres: setup.limitCheck, degrees: setup.limits.degrees }
  const { metres, degrees, scatter, moved } = cameraMovement(kept, seen, {
    metres: limits.millimetres / 1000,
    degrees: limits.degrees,
  })
  const differing = { millimetres: short(1000 * scatter.metres), degrees: short(scatter.degrees) }
  // Looks that differ by more than the camera seems to have moved say nothing.
  if (!moved && (metres > limits.millimetres / 1000 || degrees > limits.degrees))
    return impossible(display, () => say('drive-check-unclear', differing), { seen: seen.length })
  const off = { millimetres: short(1000 * metres), degrees: short(degrees) }
  const since = kept.at.slice(0, 10)
  const values = { ...off, since, limitMillimetres: limits.millimetres, limitDegrees: limits.degrees }
  const inWords = () => ({
    ...{ event: 'camera-checked', ok: !moved, good: !moved, ...off, limits, since: kept.at },
    scatter: differing,
    text: say(moved ? 'line-drive-check-moved' : 'line-drive-check-same', off),
    details: say(moved ? 'drive-check-moved' : 'drive-check-same', values),
  })
  display.end = inWords
  const payload = inWords()
  return new NodeAnswer({ payload }, toldOf(payload), outputs.result)
}

/** Nothing can be said about the camera. */
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

/** Seconds for jogging the tip to a point. */
const jogging = 1800

/**
 * Looks at the grid, has a person touch one of its corners with the tip of the robot, and tells how far the tip is from where
 * camera and calibration have that corner. The person moves the robot; a result that waits to be saved goes on waiting.
 * @throws INVALID_INPUT without a calibration, for a fixed camera, or if the flow moves the robot
 */
export async function touchUp(step: CalibrationStep, inbound: Inbound, parts: DriveParts): Promise<Outcome> {
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
  const grid = await sightingsOf(work).look(signal)
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
  const answer = await asked({ ...work, settings: patient }, question, demand, signal)
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
    return told({ ...report, ...places, details: [say('drive-touched', places), report.details].join(' ') })
  }
  display.touched = inWords
  return toItsOutput(inWords())
}

/** The inner corner that is nearest to the top left of the picture, in the frame of the camera. */
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

/** Nothing is known about the point. */
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
  return new NodeAnswer({ payload }, toldOf(payload), outputs.progress)
}
