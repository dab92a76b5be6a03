import type { Coverage } from './coverage'
import type { CalibrationAnswer } from './answers'

/** What a step answers: the payload of the message that leaves. */
export interface Report extends Partial<Coverage> {
  event: string
  /** The step did what was asked. */
  ok: boolean
  /** All of it in one text. */
  details: string
  /** What belongs to this event. */
  [more: string]: unknown
}

/** A report as it leaves. */
export interface ToldReport extends Report {
  /** What counts most, for one line of a panel or a robot. */
  text: string
}

/** A calibration as the flow gets it. */
export interface ShownCalibration {
  /** Where the camera is, in the robot's own numbers: seen from the flange, or from the base where it is fixed. */
  camera: unknown
  cameraText: string
  cameraIn: 'flange' | 'base'
  /** As the device gives it. */
  calibration: CalibrationAnswer
}

/** A result, judged. */
export interface ResultReport extends Report, ShownCalibration {
  /** Within the limits. */
  good: boolean
  saved: boolean
  /** Standard deviations. */
  errors: { millimetres: number | undefined; degrees: number | undefined }
  limits: { millimetres: number; degrees: number }
}
