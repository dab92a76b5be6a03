import type { Acquired, Doubt, TakenBy } from '../../lib/images/acquisition'
import { triggerRemarks } from '../../lib/contract/reading/values'
import { secondsOf } from '../pictures/found'
import type { OutcomeSummary } from '../shared/outcome'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('acquire')

/** What a flow may want to know of an acquisition; becomes `msg.acquisition`. */
export interface AcquisitionSummary {
  /** Whether an image set of this trigger arrived, which proves that a frame was taken. */
  proven: boolean
  /** Why the set may belong to another trigger. */
  doubt?: Doubt
  /** Seconds since 1970 by the device's clock. */
  timestamp?: number
  /** What told that the pictures were taken. */
  takenBy?: TakenBy
  /** Milliseconds from the trigger until the pictures were taken. */
  takenAfter?: number
  /** Milliseconds from the trigger until the pictures had arrived. */
  doneAfter: number
  /** Why the acquisition mode could not be put back. */
  modeLeft?: { code: string; message: string }
}

export function acquisitionOf({
  set,
  doubt,
  takenBy,
  takenAfter,
  doneAfter,
  modeLeft,
}: Acquired): AcquisitionSummary {
  return {
    proven: true,
    ...(doubt && { doubt }),
    timestamp: secondsOf(set.timestamp),
    takenBy,
    takenAfter: Math.round(takenAfter),
    doneAfter: Math.round(doneAfter),
    ...leftMode(modeLeft),
  }
}

/** Of a mode that could not be put back. */
export const leftMode = (problem: Acquired['modeLeft']): Pick<AcquisitionSummary, 'modeLeft'> =>
  problem ? { modeLeft: { code: problem.code, message: problem.message } } : {}

const doubts = {
  pending: 'result-doubt-pending',
  early: 'result-doubt-early',
  others: 'result-doubt-others',
} as const satisfies Record<Doubt, string>

/** One line for people: what came, or why it may be the picture of another trigger. */
export function toldOf(
  { doubt, modeLeft, doneAfter }: Acquired,
  pictures: OutcomeSummary | undefined,
): OutcomeSummary {
  if (doubt)
    return told(
      doubts[doubt],
      {},
      { state: 'warning', code: doubt === 'pending' ? triggerRemarks.pending : doubt, ...valueOf(pictures) },
    )
  if (modeLeft)
    return told(
      'result-mode-left',
      { reason: modeLeft.message },
      { state: 'warning', code: modeLeft.code, ...valueOf(pictures) },
    )
  return (
    pictures ??
    told('result-proven', { milliseconds: Math.round(doneAfter) }, { value: Math.round(doneAfter) })
  )
}

const valueOf = (pictures: OutcomeSummary | undefined) =>
  pictures?.value === undefined ? {} : { value: pictures.value }
