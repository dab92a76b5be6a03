import type { HandEyeResult } from '../hand-eye/solve'
import type { Outlier } from '../outliers/suspects'
import type { SetMistake } from '../outliers/set-mistake'
import type { Pose } from '../pose'
import type { Purpose } from './settings'
import type { LimitName } from './usable'
import type { View } from './views'

/** The state of a plan. */
export interface PlanProgress {
  /** Poses of the plan that were looked at, and those at which the grid was seen. */
  views: number
  seen: number
  /** The calibration so far, with its bounds. */
  result?: HandEyeResult
  /** Poses that do not belong to the others, by their index among the attempts. */
  outliers: Outlier[]
}

/** Move the robot there and look. */
export interface Go extends PlanProgress {
  kind: 'go'
  purpose: Purpose
  /** Of the hand, in the robot's base. Metres. */
  pose: Pose
  /** Poses to pass on the way, in steps within the limits; after a failure they begin with the way back. */
  via: Pose[]
  /** How the camera will see the grid, and its pose in the camera's frame then; for a pose of the plan. */
  view?: View
  seenAs?: Pose
  /** The expected accuracy after it, in the wanted one: 1 is enough. */
  expected?: number
}

/** The result is as accurate as wanted. */
export interface Done extends PlanProgress {
  kind: 'done'
  result: HandEyeResult
}

/** The plan cannot go on, and why. */
export type Stuck = PlanProgress & { kind: 'stuck' } & (
    | { reason: 'grid-not-seen-at-start' }
    /** It is not seen any more where it was seen before. */
    | { reason: 'grid-lost' }
    /** No small move from the taught pose kept the grid in view, or the limits leave none. */
    | { reason: 'first-moves'; limit?: LimitName }
    /** The picture does not move as the robot does: by this factor. */
    | { reason: 'movement'; ratio: number }
    | { reason: 'mounting'; found: 'robot' | 'fixed' }
    /** The sightings contradict each other; with the mistake, if one explains it. */
    | { reason: 'contradiction'; mistake?: SetMistake }
    /** No pose is left that would improve the result: what excludes how many of them. */
    | { reason: 'nothing-left'; excluded: Readonly<Partial<Record<Exclusion, number>>> }
    /** All poses are used; the accuracy in the wanted one, and where most of the error comes from. */
    | { reason: 'accuracy'; reached: number; mostly: 'robot' | 'camera' }
  )

/** Why a view cannot be used. */
export type Exclusion = LimitName | 'picture' | 'failed' | 'tried' | 'too-near' | 'no-gain'

/** What to do next. */
export type Next = Go | Done | Stuck
