import { setTimeout as wait } from 'node:timers/promises'

/** Repeats until successful. @param within milliseconds @throws the last error */
export async function eventually<T>(attempt: () => T | Promise<T>, within = 60_000): Promise<T> {
  const end = Date.now() + within
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
      await wait(20)
    }
  }
}
