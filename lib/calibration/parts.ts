import type { Attempt, Go, Next, Pose } from '../robotics'

/** Where the hand is, in the robot's base. Metres. */
export interface Standing {
  pose: Pose
  /** Whether it stands still. */
  atRest: boolean
}

/** What moves the robot. Its errors end the calibration and are passed on. */
export interface Mover {
  /** Reads the robot; moves nothing. */
  standing: (signal: AbortSignal) => Promise<Standing>
  /**
   * Moves the hand along all poses and resolves when it stands at the last one. An abort stops the robot before it
   * rejects.
   */
  moveAlong: (poses: readonly Pose[], signal: AbortSignal) => Promise<void>
}

/** What sees the grid. */
export interface GridSource {
  /**
   * The centre of the grid in the camera's frame, metres; undefined if it is not seen.
   *
   * @param expected how it will be seen, less than 90° off: settles half a turn of a grid without a marked corner. Undefined
   * at the first look.
   */
  look: (signal: AbortSignal, expected?: Pose) => Promise<Pose | undefined>
}

/** What survives a restart. */
export interface Journal<Note> {
  /** All looks so far, in order. */
  read: () => Promise<readonly Note[]>
  /** Resolves when the look would survive. */
  append: (look: Note) => Promise<void>
}

/** The journal of a planned calibration. */
export type CalibrationJournal = Journal<Attempt>

/** What a person, or a program for one, says before a movement. */
export type Confirmation = 'go' | 'skip' | 'stop'

/** What a calibration works with. */
export interface CalibrationParts {
  next: (attempts: readonly Attempt[]) => Next
  mover: Mover
  source: GridSource
  journal: CalibrationJournal
  /**
   * Asked before each movement; nothing moves until it answers `go`. Its signal ends the question: the movement was skipped,
   * stopped, or paused, after which it is asked again.
   */
  confirm: (move: Go, signal: AbortSignal) => Promise<Confirmation>
  /** Told after each look, and before each movement. */
  onProgress?: (next: Next, attempts: readonly Attempt[]) => void
}
