import type { Scenario } from '../scenario'

/** Seconds after a reboot without any answer. */
const gone = 0.5

/** `gone`: connections are reset; `front`: the front end answers 502; `modules`: some modules are not running yet. */
export type BootPhase = 'gone' | 'front' | 'modules' | 'ready'

/** @param elapsed seconds since the reboot */
export function bootPhase(
  elapsed: number,
  { boot_seconds, boot_502_seconds }: Pick<Scenario, 'boot_seconds' | 'boot_502_seconds'>,
): BootPhase {
  if (elapsed >= boot_seconds) return 'ready'
  if (elapsed < gone) return 'gone'
  return elapsed < gone + boot_502_seconds ? 'front' : 'modules'
}
