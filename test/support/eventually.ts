import { setTimeout as wait } from 'node:timers/promises'

/** Tries until it works, and throws the last reason when it has not worked within so many ms. */
export async function eventually<T>(attempt: () => T | Promise<T>, within = 20_000): Promise<T> {
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
