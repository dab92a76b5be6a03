import { nearDuplicates, type Pose } from '../../lib/robotics'
import { slotCount, type HandEyeDevice } from './hand-eye-device'
import type { Mark } from './mark'
import type { ResultReport } from './report'

/** Status of `set_pose` where the grid was not recognised. */
export const gridUnseen = 4
const rememberedUnseen = 50

export interface PoseList {
  /** As they were given. */
  targets: readonly unknown[]
  /** Index of the one that is waited for. */
  next: number
}

/** What changed on the device behind the back of the node. Numbers of poses, from 1. */
export interface PoseMismatch {
  /** There, although this node did not record them: before a deploy, or from elsewhere. */
  found: number[]
  /** Recorded here and gone, as after a restart of the device. */
  lost: number[]
}

/**
 * What a node knows about the calibration under way. The poses themselves are kept by the device, which is asked before
 * each step: a deploy loses nothing, and a restart of the device is noticed.
 */
export class Session {
  /** Poses of the flange on the device, by slot. */
  poses = new Map<number, Pose>()
  /** Slot of the pose that was recorded last. */
  last: number | undefined
  list: PoseList | undefined
  /** Poses from which the grid was not recognised, the latest last. */
  unseen: Pose[] = []
  /** How many of the latest poses were such, one after the other. */
  failures = 0
  /** The result of the present poses, which the device holds and which may be saved. */
  result: ResultReport | undefined
  /** The first mark of a check by two poses. */
  mark: Mark | undefined
  /** A pose that was sent to the device and not answered. */
  #unanswered: { slot: number; pose: Pose } | undefined

  /** Everything begins anew. */
  clear(): void {
    this.poses.clear()
    this.unseen = []
    this.failures = 0
    this.last = this.list = this.result = this.mark = this.#unanswered = undefined
  }

  /** Takes over what the device has. */
  async learn(device: HandEyeDevice): Promise<PoseMismatch> {
    const listed = await device.poses()
    if (!listed) return { found: [], lost: [] }
    const missing = (from: Map<number, Pose>, to: Map<number, Pose>) =>
      [...from.keys()].filter((slot) => !to.has(slot)).map((slot) => slot + 1)
    const surprise = { found: missing(listed, this.poses), lost: missing(this.poses, listed) }
    this.poses = listed
    if (surprise.lost.length) this.result = undefined
    return surprise
  }

  /** The slot for a new pose: that of the same pose, if it was not answered, or the first that is free. */
  slotFor(pose: Pose): number | undefined {
    const { slot, pose: sent } = this.#unanswered ?? {}
    if (sent && nearDuplicates([sent, pose]).length) return slot
    return [...Array(slotCount).keys()].find((free) => !this.poses.has(free))
  }

  /** Records through the device; a pose whose outcome is unknown is remembered as such. */
  async record(device: HandEyeDevice, slot: number, pose: Pose) {
    this.#unanswered = { slot, pose }
    const answer = await device.setPose(slot, pose)
    this.#unanswered = undefined
    if (answer.status === gridUnseen) {
      this.unseen = [...this.unseen, pose].slice(-rememberedUnseen)
      this.failures += 1
    }
    if (answer.success) {
      this.failures = 0
      this.poses.set(slot, pose)
      this.last = slot
      this.result = undefined
    }
    return answer
  }

  /** The slots that are taken, in order. */
  slots(): number[] {
    return [...this.poses.keys()].sort((one, other) => one - other)
  }
}
