/**
 * The procedure of any calibration that moves a robot: record, confirm, move, record again. In: mover, grid source,
 * journal, confirmation and plan. Out: how it ended, with the robot at rest. Knows no robot maker and no device, and
 * loads no mathematics.
 */
import { check } from '../kernel/scope'
import type { Attempt, Go, HandEyeObservation, Next } from '../robotics'
import { distance, type Pose, product, angleOf, conjugated, degrees } from '../robotics/pose'

/** Difference between two poses. */
export interface PoseDifference {
  metres: number
  degrees: number
}

/** A robot farther from its target, or from where it was left, is not where the plan assumes. */
const tolerated: PoseDifference = { metres: 0.001, degrees: 0.2 }

/** Distance and angle between two poses. */
export const differenceOf = (one: Pose, other: Pose): PoseDifference => ({
  metres: distance(one.position, other.position),
  degrees: degrees(angleOf(product(conjugated(one.orientation), other.orientation))),
})

/** The difference if it exceeds 1 mm or 0.2°. */
export function missedBy(target: Pose, actual: Pose): PoseDifference | undefined {
  const off = differenceOf(target, actual)
  return off.metres > tolerated.metres || off.degrees > tolerated.degrees ? off : undefined
}

/** Pose of the hand, in the robot's base. Metres. */
export interface Standing {
  pose: Pose
  atRest: boolean
}

/** Moves the robot. Its errors end the calibration and are passed on. */
export interface Mover {
  standing: (signal: AbortSignal) => Promise<Standing>
  /** Moves the hand along all poses; resolves at rest at the last one. An abort stops the robot before it rejects. */
  moveAlong: (poses: readonly Pose[], signal: AbortSignal) => Promise<void>
}

/** A pose in the camera's frame, with its covariance if the source knows it. */
export type SeenPose = Pose & Pick<HandEyeObservation, 'covariance'>

/** Detects the grid. */
export interface GridSource {
  /**
   * Centre of the grid in the camera's frame, metres; undefined if it is not detected. @param expected less than 90°
   * off: resolves the 180° ambiguity of a grid without a marked corner; undefined at the first pose
   */
  look: (signal: AbortSignal, expected?: Pose) => Promise<SeenPose | undefined>
}

/** Survives a restart. */
export interface Journal<Note> {
  read: () => Promise<readonly Note[]>
  /** Resolves when the note would survive. */
  append: (note: Note) => Promise<void>
}

/** Of a planned calibration. */
export type CalibrationJournal = Journal<Attempt>

/** Answer of an operator, or of a program, before a movement. */
export type Confirmation = 'go' | 'skip' | 'stop'

/** What a calibration works with. */
export interface CalibrationParts {
  next: (attempts: readonly Attempt[]) => Next
  mover: Mover
  source: GridSource
  journal: CalibrationJournal
  /** Called before each movement; nothing moves until it returns `go`. Its signal closes the question, as after a pause. */
  confirm: (move: Go, signal: AbortSignal) => Promise<Confirmation>
  /** Called after each attempt, and before each movement. */
  onProgress?: (next: Next, attempts: readonly Attempt[]) => void
}

/** Pause and skip. */
export class Control {
  #paused: { over: Promise<void>; end: () => void } | undefined
  #skip: (() => void) | undefined
  /** The open question: a pause closes it, and it is asked again afterwards. */
  #asking: AbortController | undefined

  pause(): void {
    if (this.#paused) return
    let release: (() => void) | undefined
    const over = new Promise<void>((resolve) => (release = resolve))
    this.#paused = { over, end: () => release?.() }
    this.#asking?.abort()
  }

  resume(): void {
    this.#paused?.end()
    this.#paused = undefined
  }

  skip(): void {
    this.#skip?.()
  }

  /**
   * Asks while nothing is paused. Each movement has one question at a time: a pause closes it, and an answer counts
   * only while nothing is paused. A skipped or stopped movement is not asked again. @param ask ends with its signal
   */
  async permitted(
    ask: (signal: AbortSignal) => Promise<Confirmation>,
    stopped: Promise<'stop'>,
  ): Promise<Confirmation> {
    const over = new AbortController()
    const skipped = new Promise<'skip'>((resolve) => (this.#skip = () => resolve('skip')))
    try {
      return await Promise.race([this.#answer(ask, over.signal), skipped, stopped])
    } finally {
      this.#skip = undefined
      over.abort()
    }
  }

  async #answer(
    ask: (signal: AbortSignal) => Promise<Confirmation>,
    over: AbortSignal,
  ): Promise<Confirmation> {
    for (;;) {
      while (this.#paused) await this.#paused.over
      check(over)
      const asking = (this.#asking = new AbortController())
      try {
        const answer = await ask(AbortSignal.any([over, asking.signal]))
        if (!asking.signal.aborted) return answer
      } catch (error) {
        if (over.aborted || !asking.signal.aborted) throw error
      }
    }
  }
}

/** How any calibration may end before it has a result. The robot is at rest and the journal unchanged. */
export type BrokenOff =
  /** By an operator, or by the signal while nothing moved. */
  | { kind: 'stopped' }
  /** The robot moved while it should have been at rest; nothing was sent to it. */
  | { kind: 'moving' }
  /** The robot is not where the calibration was interrupted. Move it to this pose, or start anew. */
  | { kind: 'elsewhere'; expected: Pose; off: PoseDifference }
  /** The robot did not reach its target. */
  | { kind: 'missed'; expected: Pose; off: PoseDifference }

/** A running calibration. */
export interface ProcedureRun<End> {
  /** Pauses before the next movement; a running one is completed. */
  pause: () => void
  resume: () => void
  /** Leaves out the pose that waits for a confirmation or for the end of a pause. */
  skip: () => void
  /** Ends the run; the mover stops a running movement. */
  stop: () => void
  /** Rejects with errors of the mover, the camera or the journal. */
  end: Promise<End | BrokenOff>
}

interface RecordedNote {
  robot: Pose
  skipped?: true
}

interface Movement {
  kind: 'go'
  pose: Pose
  via: readonly Pose[]
}

interface Procedure<Note extends RecordedNote, Move extends Movement, End extends { kind: string }> {
  mover: Mover
  journal: Journal<Note>
  /** The next movement, or the end. */
  next: (notes: readonly Note[], signal: AbortSignal) => Move | End | Promise<Move | End>
  /** Its signal closes the question: the movement was skipped, stopped, or paused, after which it is asked again. */
  confirm: (move: Move, signal: AbortSignal) => Promise<Confirmation>
  /** Records the robot's current pose; without a movement, the taught pose. */
  record: (robot: Pose, move: Move | undefined, notes: readonly Note[], signal: AbortSignal) => Promise<Note>
  /** The note of a pose that an operator left out. */
  leftOut: (move: Move) => Note
  onProgress?: ((next: Move | End, notes: readonly Note[]) => void) | undefined
}

/**
 * Records the taught pose, or continues from the journal; then moves and records. Each note is in the journal before
 * anything moves again. Before the first movement the robot must be at rest, where an interrupted run left it.
 */
export function startProcedure<
  Note extends RecordedNote,
  Move extends Movement,
  End extends { kind: string },
>(procedure: Procedure<Note, Move, End>): ProcedureRun<End> {
  const stopping = new AbortController()
  const control = new Control()
  return {
    pause: () => control.pause(),
    resume: () => control.resume(),
    skip: () => control.skip(),
    stop: () => {
      stopping.abort()
      control.resume()
    },
    end: untilStopped(procedure, control, stopping.signal),
  }
}

/** An abort is an end of the procedure, not a failure of its parts. */
async function untilStopped<Note extends RecordedNote, Move extends Movement, End extends { kind: string }>(
  procedure: Procedure<Note, Move, End>,
  control: Control,
  signal: AbortSignal,
): Promise<End | BrokenOff> {
  try {
    return await performed(procedure, control, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' }
    throw error
  }
}

async function performed<Note extends RecordedNote, Move extends Movement, End extends { kind: string }>(
  { mover, journal, next, confirm, record: look, leftOut, onProgress }: Procedure<Note, Move, End>,
  control: Control,
  signal: AbortSignal,
): Promise<End | BrokenOff> {
  const notes: Note[] = [...(await journal.read())]
  const stopped = aborted(signal)
  const note = async (one: Note) => {
    await journal.append(one)
    notes.push(one)
  }
  const { pose, atRest } = await mover.standing(signal)
  if (!atRest) return { kind: 'moving' }
  const left = notes.findLast(({ skipped }) => !skipped)
  const off = left && missedBy(left.robot, pose)
  if (left && off) return { kind: 'elsewhere', expected: left.robot, off }
  if (!left) await note(await look(pose, undefined, notes, signal))

  for (;;) {
    const move = await next(notes, signal)
    onProgress?.(move, notes)
    if (!isMovement<Move>(move)) return move
    const ask = (open: AbortSignal) => confirm(move, AbortSignal.any([signal, open]))
    const answer = await control.permitted(ask, stopped)
    if (answer === 'stop' || signal.aborted) return { kind: 'stopped' }
    if (answer === 'skip') {
      await note(leftOut(move))
      continue
    }
    await mover.moveAlong([...move.via, move.pose], signal)
    const reached = await mover.standing(signal)
    if (!reached.atRest) return { kind: 'moving' }
    const missed = missedBy(move.pose, reached.pose)
    if (missed) return { kind: 'missed', expected: move.pose, off: missed }
    await note(await look(reached.pose, move, notes, signal))
  }
}

const isMovement = <Move extends Movement>(next: Move | { kind: string }): next is Move => next.kind === 'go'

const aborted = (signal: AbortSignal): Promise<'stop'> =>
  new Promise((resolve) => {
    const stop = () => resolve('stop')
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
