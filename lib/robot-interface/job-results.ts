import type { Pose } from '../robotics/pose'
import { interfaceCodes, type JobState, type RobotAnswer } from './messages'

const { NO_POSES_FOUND, NO_RELATED_POSES, NO_RETURN_SPECIFIED, JOB_STILL_RUNNING } = interfaceCodes

/** A pose of a job with its additional values. */
export interface ResultPose {
  /** Metres, in the frame of the job. */
  pose: Pose
  /** data_4 to data_10, as sent. */
  extra?: readonly number[]
}

export interface PrimaryPose extends ResultPose {
  related: readonly ResultPose[]
}

export type JobOutcome = {
  /** Code of the called module. */
  moduleCode: number
} & (
  | { poses: readonly PrimaryPose[] }
  /** The job is defined without poses. */
  | { noReturn: true }
  /** Negative code. */
  | { failure: number }
)

/**
 * The results and state of one job, shared by all robots that use its number. A job stays DONE, and the related poses
 * of the last primary one stay, until a robot requests a further pose and there is none, or triggers it again.
 */
export class JobResults {
  #state: JobState = 'INACTIVE'
  #outcome: JobOutcome | undefined
  #left: PrimaryPose[] = []
  #relatedLeft: ResultPose[] = []

  get state(): JobState {
    return this.#state
  }

  /** A pose is left, possibly a related one. */
  get hasPoses(): boolean {
    return this.#left.length + this.#relatedLeft.length > 0
  }

  /** Discards earlier results. @returns false, without a change, if the job is running */
  trigger(): boolean {
    if (this.#state === 'RUNNING') return false
    this.#set('RUNNING', undefined)
    return true
  }

  finish(outcome: JobOutcome): void {
    this.#set('failure' in outcome ? 'FAILED' : 'DONE', outcome)
    this.#left = 'poses' in outcome ? [...outcome.poses] : []
  }

  reset(): void {
    this.#set('INACTIVE', undefined)
  }

  /** For GET_JOB_STATUS: the module's code, also of a failed job. */
  get moduleCode(): number {
    return this.#outcome?.moduleCode ?? 0
  }

  /** Returns the next primary pose. */
  next(): RobotAnswer {
    const refused = this.#without(NO_POSES_FOUND)
    if (refused) return refused
    const first = this.#left.shift()
    if (!first) {
      this.#relatedLeft = []
      const { moduleCode } = this
      if (this.#state === 'DONE') this.#state = 'INACTIVE'
      return { code: NO_POSES_FOUND, moduleCode }
    }
    this.#relatedLeft = [...first.related]
    return this.#handedOut(first)
  }

  /** Returns the next related pose of the last primary pose. */
  related(): RobotAnswer {
    const refused = this.#without(NO_RELATED_POSES)
    if (refused) return refused
    const first = this.#relatedLeft.shift()
    if (first) return this.#handedOut(first)
    return { code: NO_RELATED_POSES, moduleCode: this.moduleCode, data2: this.#left.length }
  }

  #handedOut({ pose, extra = [] }: ResultPose): RobotAnswer {
    return {
      pose,
      extra,
      moduleCode: this.moduleCode,
      data2: this.#left.length,
      data3: this.#relatedLeft.length,
    }
  }

  /** The answer if no pose can be returned. @param none code of a job that was never triggered */
  #without(none: number): RobotAnswer | undefined {
    if (this.#state === 'RUNNING') return { code: JOB_STILL_RUNNING }
    const outcome = this.#outcome
    if (!outcome) return { code: none }
    const { moduleCode } = outcome
    if ('failure' in outcome) return { code: outcome.failure, moduleCode }
    return 'noReturn' in outcome ? { code: NO_RETURN_SPECIFIED, moduleCode } : undefined
  }

  #set(state: JobState, outcome: JobOutcome | undefined): void {
    this.#state = state
    this.#outcome = outcome
    this.#left = []
    this.#relatedLeft = []
  }
}
