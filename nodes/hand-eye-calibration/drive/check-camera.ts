import { cameraMovement } from '../../../lib/calibration'
import { composed, inverted, type Pose } from '../../../lib/robotics'
import { NodeAnswer, type Outcome } from '../../shared/outcome'
import type { Inbound } from '../steps'
import { outputs, toldOf } from '../report'
import type { CalibrationStep } from '../session'
import { standingPose } from './begin'
import type { DriveDisplay } from './driving'
import type { KeptCalibration } from './journal'
import { driveMover } from './movers'
import type { DriveParts, DriveWork } from './parts'
import { short } from './plan-report'
import { moved } from './moved'
import { busy } from './run'
import { sightedBy } from './settings'
import { sightingsOf } from './sightings'
import { sentencesOf } from '../../sentences'

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
