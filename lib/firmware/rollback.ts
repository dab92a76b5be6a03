import type { VisionError } from '../client/vision-error'
import type { Run } from './run'
import { isPassing } from './timing'
import type { OpenPhase } from './phases'

/**
 * Makes the device boot its inactive image at the next start. The device accepts this once; if an answer is missing,
 * its images show whether it was done.
 * @throws VisionError for example `DEVICE_FAULT`
 */
export async function markInactive(run: Run, phase: OpenPhase): Promise<void> {
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

/** Makes the device boot the old version again, with the same steps as before and the images swapped. */
export async function markOld(run: Run): Promise<void> {
  const { from, to = '' } = run.entry
  if (run.entry.phase !== 'rolling-back')
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
  await markInactive(run, 'rolling-back')
}
