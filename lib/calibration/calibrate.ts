import type { Attempt, Done, Go, Pose, Stuck } from '../robotics'
import { missedBy, type PoseDifference } from './misses'
import type { CalibrationParts } from './parts'

/** How a calibration ended. Each leaves the robot at rest and the journal as it was, so that another run continues. */
export type CalibrationEnd =
  | Done
  | Stuck
  /** A person ended it, or the signal did while nothing moved. */
  | { kind: 'stopped' }
  /** The robot moved while it should have stood still; nothing was sent to it. */
  | { kind: 'moving' }
  /** The robot does not stand where the calibration was interrupted. Move it to this pose, or begin anew. */
  | { kind: 'elsewhere'; expected: Pose; off: PoseDifference }
  /** The robot did not reach the pose that it was sent to. */
  | { kind: 'missed'; expected: Pose; off: PoseDifference }

/** A calibration under way. */
export interface CalibrationRun {
  /** Holds before the next movement; one that is under way ends where it was sent to. */
  pause: () => void
  resume: () => void
  /** Leaves out the pose that is waiting for a confirmation or for the end of a pause. */
  skip: () => void
  /** Ends it; a movement that is under way is stopped by the mover. */
  stop: () => void
  /** Rejects with what the mover, the source or the journal failed with. */
  end: Promise<CalibrationEnd>
}

/**
 * Calibrates, or continues what the journal has: looks at the taught pose, then moves and looks as the plan says. Each
 * look is in the journal before anything moves again. Before the first movement the robot must stand still, and where an
 * interrupted calibration left it.
 */
export function startCalibration(parts: CalibrationParts): CalibrationRun {
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
    end: untilStopped(parts, control, stopping.signal),
  }
}

/** An abort is an end of the procedure, not a failure of its parts. */
async function untilStopped(
  parts: CalibrationParts,
  control: Control,
  signal: AbortSignal,
): Promise<CalibrationEnd> {
  try {
    return await calibrated(parts, control, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' }
    throw error
  }
}

async function calibrated(
  parts: CalibrationParts,
  control: Control,
  signal: AbortSignal,
): Promise<CalibrationEnd> {
  const { mover, source, journal, next, onProgress } = parts
  const attempts: Attempt[] = [...(await journal.read())]
  const stopped = aborted(signal)
  const note = async (attempt: Attempt) => {
    await journal.append(attempt)
    attempts.push(attempt)
  }
  const { pose, atRest } = await mover.standing(signal)
  if (!atRest) return { kind: 'moving' }
  const left = attempts.findLast(({ skipped }) => !skipped)
  const off = left && missedBy(left.robot, pose)
  if (left && off) return { kind: 'elsewhere', expected: left.robot, off }
  if (!left) await note(seen('taught', pose, await source.look(signal)))

  for (;;) {
    const move = next(attempts)
    onProgress?.(move, attempts)
    if (move.kind !== 'go') return move
    const answer = await permitted(parts, control, move, { signal, stopped })
    if (answer === 'stop' || signal.aborted) return { kind: 'stopped' }
    if (answer === 'skip') {
      await note({ purpose: move.purpose, robot: move.pose, skipped: true })
      continue
    }
    await mover.moveAlong([...move.via, move.pose], signal)
    const reached = await mover.standing(signal)
    if (!reached.atRest) return { kind: 'moving' }
    const missed = missedBy(move.pose, reached.pose)
    if (missed) return { kind: 'missed', expected: move.pose, off: missed }
    const grid = await source.look(signal, move.seenAs ?? attempts[0]?.grid)
    await note(seen(move.purpose, reached.pose, grid))
  }
}

const seen = (purpose: Attempt['purpose'], robot: Pose, grid: Pose | undefined): Attempt =>
  grid ? { purpose, robot, grid } : { purpose, robot }

/** Asks, and waits while it is paused: the answer counts only when the pause is over. */
async function permitted(
  { confirm }: CalibrationParts,
  control: Control,
  move: Go,
  { signal, stopped }: { signal: AbortSignal; stopped: Promise<'stop'> },
) {
  const skipped = control.waiting()
  const asked = control.whileRunning().then(() => confirm(move, signal))
  const answer = await Promise.race([asked, skipped, stopped])
  if (answer !== 'go') return answer
  return Promise.race([control.whileRunning().then(() => answer), skipped, stopped])
}

const aborted = (signal: AbortSignal): Promise<'stop'> =>
  new Promise((resolve) => {
    const stop = () => resolve('stop')
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })

/** Pause and skip. */
class Control {
  #paused: { over: Promise<void>; end: () => void } | undefined
  #skip: (() => void) | undefined

  pause(): void {
    if (this.#paused) return
    let release: (() => void) | undefined
    const over = new Promise<void>((resolve) => (release = resolve))
    this.#paused = { over, end: () => release?.() }
  }

  resume(): void {
    this.#paused?.end()
    this.#paused = undefined
  }

  skip(): void {
    this.#skip?.()
  }

  async whileRunning(): Promise<void> {
    while (this.#paused) await this.#paused.over
  }

  /** Resolves if the movement that waits is skipped. */
  waiting(): Promise<'skip'> {
    return new Promise((resolve) => {
      this.#skip = () => resolve('skip')
    })
  }
}
