import type { Pose } from '../robotics/pose'
import { interfaceCodes, type JobState, type RobotAnswer } from './messages'

const { NO_POSES_FOUND, NO_RELATED_POSES, NO_RETURN_SPECIFIED, JOB_STILL_RUNNING } = interfaceCodes

/** A pose of a job with its additional values. */
export interface ResultPose {
  /** Metres, in the frame that the job specifies. */
  pose: Pose
  /** data_4 to data_10, as sent. */
  extra?: readonly number[]
}

/** A pose to move to, with those that belong to it. */
export interface PrimaryPose extends ResultPose {
  related: readonly ResultPose[]
}

/** How a job ended. */
export type JobOutcome = {
  /** Code of the called module. */
  moduleCode: number
} & (
  | { poses: readonly PrimaryPose[] }
  /** It returns no poses by its definition. */
  | { noReturn: true }
  /** It failed: a code below 0. */
  | { failure: number }
)

/**
 * The results of one job and its state, shared by all robots that use its number. A job stays DONE, and the related
 * poses of the last primary one stay, until a robot asks for a further pose and there is none, or triggers it again.
 */
export class JobResults {
  #state: JobState = 'INACTIVE'
  #outcome: JobOutcome | undefined
  #left: PrimaryPose[] = []
  #relatedLeft: ResultPose[] = []

  get state(): JobState {
    return this.#state
  }

  /** Whether a pose is left, a related one included. */
  get hasPoses(): boolean {
    return this.#left.length + this.#relatedLeft.length > 0
  }

  /** Discards earlier results. @returns false if the job is running already: nothing changes then */
  trigger(): boolean {
    if (this.#state === 'RUNNING') return false
    this.#set('RUNNING', undefined)
    return true
  }

  /** Ends the run. */
  finish(outcome: JobOutcome): void {
    this.#set('failure' in outcome ? 'FAILED' : 'DONE', outcome)
    this.#left = 'poses' in outcome ? [...outcome.poses] : []
  }

  /** Forgets run and results. */
  reset(): void {
    this.#set('INACTIVE', undefined)
  }

  /** The answer to GET_JOB_STATUS without the number of the state: the module's code, also of a failed job. */
  get moduleCode(): number {
    return this.#outcome?.moduleCode ?? 0
  }

  /** Hands out the next primary pose. */
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

  /** Hands out the next related pose of the primary pose that was handed out last. */
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

  /** The answer where no pose can be handed out. @param none code of a job that was never triggered */
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
