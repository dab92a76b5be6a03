import { readFileSync } from 'node:fs'

/**
 * Tells one run of this computer from another: what was written since the computer started is there even if nobody
 * flushed it. Undefined where the system does not tell (other than Linux).
 */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}
