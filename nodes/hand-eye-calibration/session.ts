import { nearDuplicates, type Pose } from '../../lib/robotics'
import type { CalibrationAnswer } from './answers'
import { slotCount, type HandEyeDevice } from './hand-eye-device'
import type { OwnSight } from './explain'
import type { Mark } from './mark'
import type { ResultReport } from './report'

/** Status of `set_pose` if the grid was not recognised. */
export const gridUnseen = 4
const rememberedUnseen = 50

export interface PoseList {
  /** The poses as given. */
  targets: readonly unknown[]
  /** Index of the pose that the list is waiting for. */
  next: number
}

/** Changes on the device that this node did not make. Numbers of poses, from 1. */
export interface PoseMismatch {
  /** Present, but not recorded by this node: from before a deploy, or from elsewhere. */
  found: number[]
  /** Recorded by this node and gone, as after a restart of the device. */
  lost: number[]
}

/**
 * The state of the calibration in progress. The device stores the poses and is asked for them before each step: a
 * deploy loses nothing, and a restart of the device is noticed.
 */
export class Session {
  /** Poses of the flange on the device, by slot. */
  poses = new Map<number, Pose>()
  /** Slot of the pose recorded last. */
  last: number | undefined
  list: PoseList | undefined
  /** Poses at which the grid was not recognised, the latest last. */
  unseen: Pose[] = []
  /** Number of consecutive poses up to the latest at which it was not. */
  failures = 0
  /** The result for the present poses, which the device holds and which may be saved. */
  result: ResultReport | undefined
  /** A result that is not the device's own, and is given to it when it is saved. */
  own: CalibrationAnswer | undefined
  /** How our own pictures showed the grid, by slot. */
  readonly sights = new Map<number, OwnSight>()
  /** There are no pictures of our own: none is waited for again. */
  isSightless = false
  /** The first mark of a check with two poses. */
  mark: Mark | undefined
  /** A pose that was sent to the device without an answer. */
  #unanswered: { slot: number; pose: Pose } | undefined

  /** Forgets everything. */
  clear(): void {
    this.poses.clear()
    this.sights.clear()
    this.isSightless = false
    this.unseen = []
    this.failures = 0
    this.last = this.list = this.result = this.own = this.mark = this.#unanswered = undefined
  }

  /** Adopts the state of the device. */
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

  /** The slot for a new pose: that of the same pose if it was not answered, otherwise the first free one. */
  slotFor(pose: Pose): number | undefined {
    const { slot, pose: sent } = this.#unanswered ?? {}
    if (sent && nearDuplicates([sent, pose]).length) return slot
    return [...Array(slotCount).keys()].find((free) => !this.poses.has(free))
  }

  /** Records a pose on the device, and remembers it if the outcome is unknown. */
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

  /** The occupied slots, in order. */
  slots(): number[] {
    return [...this.poses.keys()].sort((one, other) => one - other)
  }
}
