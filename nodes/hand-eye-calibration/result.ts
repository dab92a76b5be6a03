import { shapedPose } from '../shared/poses'
import type { CalibrationAnswer } from './answers'
import type { Explanation } from './explain'
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

/** What else is known of a result. */
interface ResultContext {
  /** Number of poses from which it was calculated. @default those on the device */
  poses?: number
  /** What is wrong with the poses or the settings; such a result is not good, however small its errors. */
  mistake?: Explanation | undefined
}

export function resultReport(
  { setup, session }: CalibrationStep,
  calibration: CalibrationAnswer,
  { isGood: isWithin, millimetres, degrees }: Judgement,
  noticed: readonly string[],
  { poses = session.poses.size, mistake }: ResultContext = {},
): ResultReport {
  const { limits, asksToSave } = setup
  const isGood = isWithin && !mistake
  const errors = { millimetres: rounded(millimetres), degrees: rounded(degrees) }
  const exactness =
    errors.millimetres === undefined || errors.degrees === undefined
      ? say('calibrated-unknown')
      : say('calibrated', { poses, ...errors })
  const verdict = errors.millimetres === undefined ? 'unjudged' : isWithin ? 'within-limits' : 'beyond-limits'
  const advice = mistake ? 'not-saved-mistake' : setup.isDriven ? 'not-saved-driven' : 'not-saved'
  const save = asksToSave ? say('send-save') : isGood ? '' : say(advice)
  const details = [...[exactness, say(verdict, limits), mistake?.text, save, assumptionOf(setup)], ...noticed]
    .filter(Boolean)
    .join(' ')
  return {
    event: 'calibrated',
    ok: isGood,
    details,
    good: isGood,
    saved: false,
    ...shownCalibration(setup, calibration),
    errors,
    limits,
    ...(mistake && { mistake: mistake.kind }),
    poses: session.slots().map((slot) => slot + 1),
  }
}

/** Poses that turn about one axis say nothing about the position along it. */
function assumptionOf({ axis, parameters, robotMounted }: Setup): string {
  if (!axis) return ''
  const values = {
    axis: axis.toUpperCase(),
    offset: Number((1000 * Number(parameters['tcp_offset'])).toPrecision(6)),
  }
  return say(robotMounted ? 'assumes-offset-camera' : 'assumes-offset-grid', values)
}

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Number(value.toPrecision(3))
