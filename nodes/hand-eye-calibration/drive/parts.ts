import type { Image } from '../../../lib/codec/images/codec'
import type { DetectedTag } from '../../../lib/calibration'
import type { PlanCamera } from '../../../lib/robotics'
import type { DeployedRobot } from '../../robot-motion/deployed-robot'
import type { Inbound } from '../steps'
import type { CalibrationStep } from '../session'
import type { Driving, Spoken } from './driving'
import type { DriveJournal } from './journal'
import type { DriveSettings } from './settings'

/** What the node brings for a robot that drives itself. */
export interface DriveParts {
  driving: Driving
  journal: DriveJournal
  settings: DriveSettings
  /** The robot that this software moves; undefined if the flow moves it. */
  deployed: DeployedRobot | undefined
  /** A rectified picture that is taken now. */
  take: (signal: AbortSignal) => Promise<Image>
  /** The camera as the sightings need it: of such a picture, or as the device states it. */
  camera: (signal: AbortSignal) => Promise<PlanCamera>
  /** The tags that the device detects now, in the frame of the camera. */
  detect: (signal: AbortSignal) => Promise<DetectedTag[]>
  /** Aborted when the node closes. */
  closing: AbortSignal
}

/** What one run works with. */
export interface DriveWork extends DriveParts {
  step: CalibrationStep
  inbound: Inbound
  /** Aborted by a stop, or when the node closes. */
  signal: AbortSignal
  /** Sends a report to the first output, while the message is at work. */
  tell: (report: Spoken) => void
}
