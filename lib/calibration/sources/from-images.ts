import { findGrid, type GridMiss, type GridPattern, type SeenGrid } from '../../images/grid'
import type { GridSource } from '../parts'

/** What sees the grid in pictures. */
export interface ImageSourceOptions {
  /** Takes a rectified picture now, when the robot has come to rest. */
  take: (signal: AbortSignal) => Promise<Parameters<typeof findGrid>[0]>
  pattern: GridPattern
  /** Told what each picture showed. Must not throw. */
  onLook?: (seen: ({ found: true } & SeenGrid) | GridMiss) => void
}

/** Rotations that are less certain than this say nothing, degrees. */
const leastCertain = 1

/**
 * Sees the grid itself in the pictures of the camera: with its pose, so that a calibration can be planned, judged and
 * checked for poses that do not fit.
 */
export const imageSource = ({ take, pattern, onLook }: ImageSourceOptions): GridSource => ({
  look: async (signal, expected) => {
    const picture = await take(signal)
    const seen = await findGrid(picture, pattern, expected && { near: expected }, () => signal.aborted)
    onLook?.(seen)
    return seen.found && seen.uncertainty.degrees < leastCertain ? seen.pose : undefined
  },
})
