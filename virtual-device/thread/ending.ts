/** How a thread ends. */
import { sleep } from '../../lib/kernel/timers'

/** Milliseconds until V8 has compiled hot functions, on a slow machine too. */
const compiling = 100

/**
 * Resolves when a thread that has finished its work may end. Node.js 20 aborts the whole process if the compiler needs
 * memory for a thread during its teardown ("node_platform.cc: Assertion failed: (data.first) != nullptr").
 */
export const untilCompiled = (): Promise<void> => sleep(compiling)

/** Ends the thread with an error, which the starting program receives. */
export function crash(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
