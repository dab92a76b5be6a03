import { changedPart, gridOf, type PictureGrid } from '../../lib/images/picture/difference'
import type { ImageSet } from '../../lib/images/types'
import { sleep } from '../../lib/timers/timers'
import { numberOf } from '../shared/fields/checked-fields'
import { imageReceiveNode, type ImageReceiveFields } from './fields'

/** Which sets of a stream are sent. */
export interface Pacing {
  /** Whether sets that arrive while the node is busy are replaced by newer ones; otherwise the device waits. */
  newestOnly: boolean
  /** Whether this set is to be sent. @throws RangeError if its picture cannot be read */
  takes: (set: ImageSet) => boolean
  /**
   * Resolves when the next set may be taken, or when the signal is aborted.
   * @param taken when the last one was taken, by `performance.now`
   */
  turn: (taken: number, signal: AbortSignal) => Promise<void>
}

/** @throws INVALID_INPUT naming the field */
export function pacingOf(fields: ImageReceiveFields): Pacing {
  const always = { takes: () => true, turn: () => Promise.resolve() }
  if (fields.send === 'every') return { ...always, newestOnly: false }
  if (fields.send === 'newest') return { ...always, newestOnly: true }
  if (fields.send === 'change') {
    const takes = onChange(numberOf(imageReceiveNode, fields, 'change') / 100)
    return { ...always, newestOnly: true, takes }
  }
  const period = 1000 / numberOf(imageReceiveNode, fields, 'rate')
  const turn = async (taken: number, signal: AbortSignal) => {
    const rest = taken + period - performance.now()
    if (rest > 0) await sleep(rest, signal).catch(() => undefined)
  }
  return { newestOnly: true, takes: () => true, turn }
}

/** Compares with the set that was sent last. */
function onChange(least: number): Pacing['takes'] {
  let last: PictureGrid | undefined
  return ({ left, right, disparity, confidence, error }) => {
    const image = left ?? right ?? disparity ?? confidence ?? error
    if (!image) return true
    const grid = gridOf(image)
    if (last && changedPart(last, grid) < least) return false
    last = grid
    return true
  }
}
