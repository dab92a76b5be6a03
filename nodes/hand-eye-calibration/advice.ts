import type { Finding, Vector } from '../../lib/robotics'
import type { AdvisedPose } from './advised-pose'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('hand-eye-calibration')

/**
 * A finding in plain words: what is wrong with the poses, and what to do. @param numbers numbers of the poses, from 1
 */
export function adviceOn(finding: Finding, numbers: readonly number[]): string {
  switch (finding.kind) {
    case 'too-few-poses':
      return say('advice-too-few-poses', finding)
    case 'few-poses':
      return say('advice-few-poses', finding)
    case 'single-axis':
      return say('advice-single-axis', { axis: nearest(finding.axis) })
    case 'weak-second-axis':
      return say('advice-weak-second-axis', { ...finding, ...rounded(finding), axis: nearest(finding.axis) })
    case 'little-rotation':
      return say('advice-little-rotation', { ...finding, ...rounded(finding) })
    case 'more-than-one-axis':
      return say('advice-more-than-one-axis', { ...rounded(finding), axis: nearest(finding.axis) })
    case 'little-translation':
    case 'much-translation':
      return say(`advice-${finding.kind}`, {
        millimetres: Math.round(1000 * finding.metres),
        advised: 1000 * finding.advised,
      })
    case 'near-duplicates': {
      const [one, other] = finding.poses
      return say('advice-near-duplicates', { one: numbers[one], other: numbers[other] })
    }
  }
}

/** How to reach the most useful next pose: the movement, and where it ends. */
export const adviceNext = ({ from, axis, degrees, shift, poseText }: AdvisedPose): string =>
  say(shift ? 'advice-next-shifted' : 'advice-next', {
    ...{ from, axis, degrees, pose: poseText },
    ...(shift && { along: shift.axis, millimetres: shift.millimetres }),
  })

const rounded = ({ degrees }: { degrees: number }) => ({ degrees: Math.round(10 * degrees) / 10 })

/** The axis of the flange closest to a direction. */
function nearest({ x, y, z }: Vector): string {
  const parts = [x, y, z].map(Math.abs)
  return 'XYZ'[parts.indexOf(Math.max(...parts))] ?? ''
}
