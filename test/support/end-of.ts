import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/**
 * Resolves with the exit code and the signal of a forked program, when all that it sent has arrived: Node.js may tell of
 * the exit first.
 */
export async function endOf(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  return [child.exitCode, child.signalCode]
}

/** Ends it if it runs, and resolves when it has ended. */
export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
