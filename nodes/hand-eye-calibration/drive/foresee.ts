import { setImmediate } from 'node:timers/promises'
import type { Attempt, Go, Next, Pose } from '../../../lib/robotics'

/** A plan of more poses is not told. */
const most = 20

/**
 * The poses from here to the end, the next one first, if the grid is seen as expected at each. Each of them takes some
 * milliseconds of computing.
 * @returns whether the list is whole: during the first moves only the next one is known
 */
export async function foreseen(
  next: (attempts: readonly Attempt[]) => Next,
  attempts: readonly Attempt[],
  move: Go,
  signal: AbortSignal,
): Promise<{ poses: Pose[]; isWhole: boolean }> {
  const poses: Pose[] = [move.pose]
  const assumed = [...attempts]
  let last = move
  while (last.seenAs && poses.length < most) {
    await setImmediate()
    signal.throwIfAborted()
    assumed.push({ purpose: last.purpose, robot: last.pose, grid: last.seenAs, assumed: true })
    const then = next(assumed)
    if (then.kind !== 'go') return { poses, isWhole: true }
    poses.push(then.pose)
    last = then
  }
  return { poses, isWhole: false }
}
