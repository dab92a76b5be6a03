import type { VisionError } from '../client/vision-error'
import type { Run } from './run'
import { isPassing } from './timing'
import { rebootInto } from './reboot'
import type { Phase } from './journal'
import type { Situation } from './situation'

/**
 * Makes the device boot its inactive image at the next start. The device takes this once; where an answer is missing,
 * its images tell whether it was done.
 * @throws VisionError for example `DEVICE_FAULT`
 */
export async function markInactive(run: Run, phase: Phase): Promise<void> {
  run.teller.at('rollback')
  if (run.entry.phase !== phase) await run.note({ phase })
  for (let count = 1; ; count++) {
    const { look, situation } = await run.situation()
    if (look.pending || situation !== 'written') return
    try {
      await run.client.rollback({ signal: run.signal })
      return
    } catch (error) {
      if (run.signal.aborted) throw run.stopped()
      const { code } = error as VisionError
      const unclear = code === 'OUTCOME_UNKNOWN' || (code !== 'DEVICE_FAULT' && isPassing(error))
      if (!unclear || count >= 5) throw error
      await run.pause()
    }
  }
}

/** From a new version that is not healthy back to the one before. */
export async function rollBack(run: Run): Promise<Situation> {
  const { from, to = '' } = run.entry
  // The way back is the way there with the images exchanged.
  if (!['rolling-back', 'rebooting-back'].includes(run.entry.phase))
    await run.note({
      phase: 'rolling-back',
      from: to,
      to: from,
      inactiveBefore: from,
      arrived: true,
      pendingSeen: false,
      mark: undefined,
      bootSeen: false,
      reboots: 0,
    })
  if (run.entry.phase === 'rolling-back') await markInactive(run, 'rolling-back')
  return rebootInto(run, 'rebooting-back')
}
