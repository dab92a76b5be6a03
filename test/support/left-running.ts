import type { ChildProcess } from 'node:child_process'
import { end } from './end-of'

/** `isOfTest`: a test has to stop it. */
const running = new Map<ChildProcess, { what: string; isOfTest: boolean }>()

// A failed test may have left one, which would block the run.
after(async () => {
  const left = [...running.values()].filter(({ isOfTest }) => isOfTest)
  if (!left.length) return
  // No further hook runs after an error.
  await Promise.all([...running.keys()].map((child) => end(child, 'SIGKILL')))
  throw new Error(`After all tests still ran: ${left.map(({ what }) => what).join(', ')}.`)
})

/** Otherwise killed at the end, and the run fails. @param isOfTest false: shared between tests */
export function mustBeStopped(child: ChildProcess, what: string, isOfTest = true): void {
  running.set(child, { what, isOfTest })
  child.once('exit', () => running.delete(child))
}
