import { readFileSync } from 'node:fs'

/** Identifies one run of this computer, in which even writes that were not flushed are still there. Linux only. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}
