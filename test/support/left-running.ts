import type { ChildProcess } from 'node:child_process'
import { end } from './end-of'

/** Those that run, by what they are, and whether it is a test that has to stop them. */
const running = new Map<ChildProcess, { what: string; isOfTest: boolean }>()

// A test that failed may have left one, for which the run would wait for ever.
after(async () => {
  const left = [...running.values()].filter(({ isOfTest }) => isOfTest)
  if (!left.length) return
  // No further hook runs after an error.
  await Promise.all([...running.keys()].map((child) => end(child, 'SIGKILL')))
  throw new Error(`After all tests still ran: ${left.map(({ what }) => what).join(', ')}.`)
})

/**
 * A program that somebody has to stop before the run of tests ends. Otherwise it is killed, and the run fails.
 * @param isOfTest false: who shares it between tests stops it
 */
export function mustBeStopped(child: ChildProcess, what: string, isOfTest = true): void {
  running.set(child, { what, isOfTest })
  child.once('exit', () => running.delete(child))
}
