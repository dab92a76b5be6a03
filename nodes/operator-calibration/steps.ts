import type { DriveSnapshot } from '../hand-eye-calibration/drive/panel'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-calibration')

/** The steps of a calibration, as a person goes through them. */
const steps = ['prepare', 'pose', 'movements', 'result', 'saved'] as const
type Step = (typeof steps)[number]

/** A step on the page. */
export interface ShownStep {
  text: string
  is: 'done' | 'now' | 'next'
}

/** All steps, and which of them is the present one. */
export function stepsOf(drive: DriveSnapshot): ShownStep[] {
  const now = steps.indexOf(stepOf(drive))
  return steps.map((step, index) => ({
    text: say(`step-${step}`),
    // Nothing comes after the last one.
    is: index < now || (index === now && step === 'saved') ? 'done' : index === now ? 'now' : 'next',
  }))
}

function stepOf({ doing, result, seen, touches }: DriveSnapshot): Step {
  if (touches) return touches
  if (result) return result.saved ? 'saved' : 'result'
  switch (doing?.word) {
    case 'confirmPose':
      return 'pose'
    case undefined:
    case 'done':
      return 'prepare'
    default:
      return seen > 0 || doing?.word === 'interrupted' ? 'movements' : 'prepare'
  }
}
