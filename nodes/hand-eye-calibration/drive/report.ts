import type { ToldReport } from '../report'

/** A pose of the plan in the robot's format. */
export interface PlannedPose {
  /** Among all poses of the calibration, from 1. */
  number: number
  pose: unknown
  poseText: string
}

/** The accuracy that is reached with a probability of 95 %, beside the wanted one. */
export interface ShownBound {
  millimetres: number
  degrees: number
  wantedMillimetres: number
  wantedDegrees: number
}

/** How far a pose is from the common result. */
export interface ShownResidual {
  /** Of the pose, from 1. */
  number: number
  millimetres: number
  degrees: number
  /** It does not fit the others. */
  isBad: boolean
}

/** A report of a robot that drives itself. */
export interface DriveReport extends ToldReport {
  /** Where the robot goes next. */
  going?: PlannedPose & { purpose: string; millimetres: number; degrees: number; steps: number }
  /** The poses from here to the end as far as they are known, the next one first. */
  planned?: PlannedPose[]
  /** Number of poses left; missing during the first moves. */
  left?: number
  /** Poses of a changed plan that are beyond what a person has confirmed: how far each is from the nearest pose that was shown. */
  changes?: { number: number; millimetres: number; degrees: number }[]
  /** Poses at which the grid was seen, and at which it was not. */
  seen?: number
  unseen?: number
  bound?: ShownBound
  /** Numbers of poses that do not belong to the others. */
  doubtful?: number[]
  /** How far each pose is from the common result so far. */
  residuals?: ShownResidual[]
  /** Poses so far and planned ones, an SVG file. */
  picture?: string
}
