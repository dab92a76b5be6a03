import { readFileSync } from 'node:fs'

/**
 * Identifies one run of this computer: what was written since the computer started is still there, even if it was not
 * flushed. Undefined if the system does not provide it (other than Linux).
 */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}
