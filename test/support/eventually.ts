import { setTimeout as wait } from 'node:timers/promises'

/** Repeats until it succeeds, and throws the last error if it has not succeeded within this many ms. */
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
