import type { VisionError } from '../client/vision-error'
import type { DeviceLook } from './look'
import type { Run } from './run'
import { isPassing } from './timing'
import { hasBooted, situationOf, type Situation } from './situation'
import type { OpenPhase } from './phases'

/** Most reboots of one run towards one image. */
const mostReboots = 3
/** Seconds that a device must have been running before a restart, so that its uptime is sure to show it. */
const shortestUptime = 1

/**
 * Restarts the device until it has booted the selected image, or fell back. Never requests the same restart twice: if
 * an answer is missing, the uptime shows what happened.
 * @throws VisionError
 */
export async function rebootInto(run: Run, phase: OpenPhase & `rebooting${string}`): Promise<Situation> {
  run.teller.at('reboot')
  for (;;) {
    const { look, situation } = await run.situation()
    if (situation !== 'written') return situation
    if (run.entry.phase === phase && (await cameLate(run, look))) continue
    if (run.entry.reboots >= mostReboots) throw run.refused('firmware-no-reboot', { count: mostReboots })
    await ask(run, phase)
    await booted(run)
  }
}

/** Waits for the restart that an earlier request may still cause. @returns whether it happened */
async function cameLate(run: Run, first: DeviceLook): Promise<boolean> {
  const { mark } = run.entry
  // By the device's uptime, which has advanced even if this program was not running.
  const isOver = ({ mark: now }: DeviceLook) => !mark || now.uptime - mark.uptime > run.timing.grace
  if (isOver(first)) return false
  const isWritten = (look: DeviceLook) => situationOf(run.entry, look) === 'written'
  // A device that disappears meanwhile has received the request.
  const { look } = await run.lookUntil((now) => !isWritten(now) || isOver(now), run.timing.boot)
  return !isWritten(look)
}

async function ask(run: Run, phase: OpenPhase): Promise<void> {
  const hasChanged = (look: DeviceLook) => situationOf(run.entry, look) !== 'written'
  const { look } = await run.lookUntil(
    (now) => hasChanged(now) || now.mark.uptime >= shortestUptime,
    run.timing.boot,
  )
  // An earlier request has taken effect in the meantime.
  if (hasChanged(look)) return
  await run.note({ phase, reboots: run.entry.reboots + 1, mark: look.mark, bootSeen: false })
  try {
    await run.client.reboot({ signal: run.signal })
  } catch (error) {
    if (run.signal.aborted) throw run.stopped()
    if ((error as VisionError).code !== 'OUTCOME_UNKNOWN' && !isPassing(error)) throw error
  }
}

/**
 * Waits until the device has restarted. If it keeps answering with a growing uptime, it has not received the request.
 */
async function booted(run: Run): Promise<void> {
  const { boot, grace } = run.timing
  // Measured from the end of the request, which may have waited long for its answer.
  const asked = performance.now()
  try {
    await run.lookUntil((look) => isOver(run, look) || secondsSince(asked) > grace, boot)
  } catch (error) {
    if (isPassing(error)) throw run.error('UNREACHABLE', 'firmware-not-back', { seconds: boot })
    throw error
  }
  run.teller.at('reboot', 0.5)
}

const isOver = ({ entry }: Run, look: DeviceLook) =>
  hasBooted(entry, look) || situationOf(entry, look) !== 'written'

const secondsSince = (milliseconds: number) => (performance.now() - milliseconds) / 1000
