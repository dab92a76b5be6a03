import { normalized, type Pose } from '../../robotics'
import type { GridSource } from '../parts'

/** A tag as the tag module of a device reports it. */
export interface DetectedTag {
  id: string
  /** Edge length, metres. */
  size?: number
  pose: Pose
  /** `camera` or `external`. */
  pose_frame?: string
}

/** What sees a tag beside the grid. */
export interface TagSourceOptions {
  /** Calls the device's tag module, `pose_frame` camera. */
  detect: (signal: AbortSignal) => Promise<readonly DetectedTag[]>
  /** The tag that stands for the grid, the same in the whole calibration. */
  id: string
  /** Told the ids that each look found. Must not throw. */
  onLook?: (ids: readonly string[]) => void
}

/**
 * Sees a tag that is fixed beside the grid, or instead of it: with its pose, so that a calibration can be planned, but
 * less exactly than the grid, because a tag is smaller. A tag that is seen twice, or in another frame, is not seen.
 */
export const tagSource = ({ detect, id, onLook }: TagSourceOptions): GridSource => ({
  look: async (signal) => {
    const tags = await detect(signal)
    onLook?.(tags.map((tag) => tag.id))
    const [tag, other] = tags.filter((each) => each.id === id && (each.pose_frame ?? 'camera') === 'camera')
    if (!tag || other) return undefined
    const { position, orientation } = tag.pose
    return { position, orientation: normalized(orientation) }
  },
})

/** The tag to use: the largest of those that are seen once. @returns undefined if there is none */
export function largestTag(tags: readonly DetectedTag[]): string | undefined {
  const single = tags.filter(({ id }) => tags.filter((other) => other.id === id).length === 1)
  return [...single].sort((one, other) => (other.size ?? 0) - (one.size ?? 0))[0]?.id
}
