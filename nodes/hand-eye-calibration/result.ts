import { shapedPose } from '../shared/poses'
import type { CalibrationAnswer } from './answers'
import type { Judgement } from './judgement'
import type { ResultReport, ShownCalibration } from './report'
import type { Setup } from './setup'
import type { CalibrationStep } from './step'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

export const shownCalibration = ({ robot }: Setup, calibration: CalibrationAnswer): ShownCalibration => ({
  camera: shapedPose(robot, calibration.pose, 'object'),
  cameraText: String(shapedPose(robot, calibration.pose, 'text')),
  cameraIn: calibration.robot_mounted ? 'flange' : 'base',
  calibration,
})

/** @param poses from which it was calculated; those on the device unless given */
export function resultReport(
  { setup, session }: CalibrationStep,
  calibration: CalibrationAnswer,
  { isGood, millimetres, degrees }: Judgement,
  noticed: readonly string[],
  poses = session.poses.size,
): ResultReport {
  const { limits, asksToSave } = setup
  const errors = { millimetres: rounded(millimetres), degrees: rounded(degrees) }
  const exactness =
    errors.millimetres === undefined || errors.degrees === undefined
      ? say('calibrated-unknown')
      : say('calibrated', { poses, ...errors })
  const verdict = errors.millimetres === undefined ? 'unjudged' : isGood ? 'within-limits' : 'beyond-limits'
  const save = asksToSave ? say('send-save') : isGood ? '' : say('not-saved')
  const details = [exactness, say(verdict, limits), save, ...noticed].filter(Boolean).join(' ')
  return {
    event: 'calibrated',
    ok: isGood,
    details,
    good: isGood,
    saved: false,
    ...shownCalibration(setup, calibration),
    errors,
    limits,
    poses: session.slots().map((slot) => slot + 1),
  }
}

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Number(value.toPrecision(3))
