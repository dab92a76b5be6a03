import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Exit code and signal, after all messages have arrived: Node.js may report the exit first. */
export async function endOf(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  return [child.exitCode, child.signalCode]
}

export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
