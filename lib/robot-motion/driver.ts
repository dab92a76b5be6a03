import type { Pose } from '../robotics'
import type { RobotError } from './robot-error'
import type { RobotState } from './state'

/** How fast a motion is. */
export interface Pace {
  /** Metres per second of the TCP. */
  speed: number
  /** Metres per second squared. */
  acceleration: number
}

/** What a driver tells. */
export interface DriverEvents {
  onState: (state: RobotState) => void
  /** The connection stands. */
  onUp: () => void
  /** It was lost, or could not be made; again only where the reason is another. */
  onDown: (error: RobotError) => void
}

/** A motion under way. */
export interface Drive {
  /** The controller no longer works on it, wherever the robot is. @throws RobotError if the controller refused it */
  ended: Promise<void>
  /** Takes the enable away: the controller brakes by itself. Never throws. */
  withdraw: () => void
}

/** The leave to begin a motion: a connection may take seconds, in which everything may change. */
export interface Leave {
  /** Aborted as soon as the motion is no longer wanted: from then on nothing is sent for it. */
  signal: AbortSignal
  /** Looks at the robot once more. Await it last before something is enabled or sent. @throws what stands in the way */
  clear: () => Promise<void>
}

/** By which ways a stop was sent. */
export interface StopWays {
  /** The enable was taken away. */
  enable: boolean
  /** A program that brakes, or the command of the controller. */
  command: boolean
}

/** One make of robot. Knows nothing of limits and permissions: `Robot` is what others use. */
export interface RobotDriver {
  /** Version of the controller's software; undefined until it is known. */
  readonly version: string | undefined
  /** Whether the robot takes motions over the network; undefined where it has no such mode or does not tell. */
  remoteControl: (signal: AbortSignal) => Promise<boolean | undefined>
  /**
   * Moves the flange in a straight line. The controller must brake by itself, within half a second, where this process,
   * its connection or its enable ends.
   */
  drive: (flange: Pose, pace: Pace, leave: Leave) => Promise<Drive>
  /** Sends a stop by all ways at once. Never rejects. */
  brake: () => Promise<StopWays>
  /** Ends all connections, and resolves when nothing is left. */
  close: () => Promise<void>
}
