import type { Coverage } from './coverage'
import type { CalibrationAnswer } from './answers'

/** The answer to a step: the payload of the outgoing message. */
export interface Report extends Partial<Coverage> {
  event: string
  /** Whether the step was successful. */
  ok: boolean
  /** The whole report as one text. */
  details: string
  /** The data of this event. */
  [more: string]: unknown
}

/** A report as it is sent. */
export interface ToldReport extends Report {
  /** The essence, for one line of a panel or a robot. */
  text: string
}

/** A calibration as sent to the flow. */
export interface ShownCalibration {
  /** Pose of the camera in the robot's own numbers: on the flange, or in the base if it is fixed. */
  camera: unknown
  cameraText: string
  cameraIn: 'flange' | 'base'
  /** As reported by the device. */
  calibration: CalibrationAnswer
}

/** A result with its judgement. */
export interface ResultReport extends Report, ShownCalibration {
  /** Whether it is within the limits. */
  good: boolean
  saved: boolean
  /** Standard deviations. */
  errors: { millimetres: number | undefined; degrees: number | undefined }
  limits: { millimetres: number; degrees: number }
}
