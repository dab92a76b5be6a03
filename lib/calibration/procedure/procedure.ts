import type { Pose } from '../../robotics'
import { missedBy, type PoseDifference } from '../misses'
import type { Confirmation, Journal, Mover } from '../parts'
import { Control } from './control'

/** How any calibration may end before it has a result. Each leaves the robot at rest and the journal as it was. */
export type BrokenOff =
  /** A person ended it, or the signal did while nothing moved. */
  | { kind: 'stopped' }
  /** The robot moved while it should have stood still; nothing was sent to it. */
  | { kind: 'moving' }
  /** The robot does not stand where the calibration was interrupted. Move it to this pose, or begin anew. */
  | { kind: 'elsewhere'; expected: Pose; off: PoseDifference }
  /** The robot did not reach the pose that it was sent to. */
  | { kind: 'missed'; expected: Pose; off: PoseDifference }

/** A calibration under way. */
export interface ProcedureRun<End> {
  /** Holds before the next movement; one that is under way ends where it was sent to. */
  pause: () => void
  resume: () => void
  /** Leaves out the pose that is waiting for a confirmation or for the end of a pause. */
  skip: () => void
  /** Ends it; a movement that is under way is stopped by the mover. */
  stop: () => void
  /** Rejects with what the mover, the camera or the journal failed with. */
  end: Promise<End | BrokenOff>
}

/** A pose that was looked at. */
interface Looked {
  robot: Pose
  skipped?: true
}

interface Movement {
  kind: 'go'
  pose: Pose
  via: readonly Pose[]
}

/** What is particular to one way of calibrating. */
export interface Procedure<Note extends Looked, Move extends Movement, End extends { kind: string }> {
  mover: Mover
  journal: Journal<Note>
  /** What to do next, or how it ends. */
  next: (notes: readonly Note[], signal: AbortSignal) => Move | End | Promise<Move | End>
  /** Its signal ends the question: the movement was skipped, stopped, or paused, after which it is asked again. */
  confirm: (move: Move, signal: AbortSignal) => Promise<Confirmation>
  /** Looks from where the robot stands; without a movement, at the taught pose. */
  look: (robot: Pose, move: Move | undefined, notes: readonly Note[], signal: AbortSignal) => Promise<Note>
  /** What is noted of a pose that a person left out. */
  leftOut: (move: Move) => Note
  onProgress?: ((next: Move | End, notes: readonly Note[]) => void) | undefined
}

/**
 * Looks at the taught pose, or continues what the journal has; then moves and looks. Each look is in the journal before
 * anything moves again. Before the first movement the robot must stand still, and where an interrupted run left it.
 */
export function startProcedure<Note extends Looked, Move extends Movement, End extends { kind: string }>(
  procedure: Procedure<Note, Move, End>,
): ProcedureRun<End> {
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
async function untilStopped<Note extends Looked, Move extends Movement, End extends { kind: string }>(
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

async function performed<Note extends Looked, Move extends Movement, End extends { kind: string }>(
  { mover, journal, next, confirm, look, leftOut, onProgress }: Procedure<Note, Move, End>,
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
