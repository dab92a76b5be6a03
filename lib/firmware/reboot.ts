import type { VisionError } from '../client/vision-error'
import type { Look } from './look'
import type { Run } from './run'
import { isPassing } from './timing'
import { hasBooted, situationOf, type Situation } from './situation'
import type { OpenPhase } from './phases'

/** Reboots of one run towards one image, at most. */
const mostReboots = 3
/** Seconds that a device must have been running, so that a restart shows in its uptime for sure. */
const shortestUptime = 1

/**
 * Restarts the device until it has booted the image that is set, or fell back. Never asks twice for one restart: where
 * an answer is missing, the uptime tells.
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

/** Waits for the restart that an earlier request may still bring. @returns whether it came */
async function cameLate(run: Run, first: Look): Promise<boolean> {
  const { mark } = run.entry
  // By the clock of the device, which has gone on while this program may have been away.
  const isOver = ({ mark: now }: Look) => !mark || now.uptime - mark.uptime > run.timing.grace
  if (isOver(first)) return false
  const isWritten = (look: Look) => situationOf(run.entry, look) === 'written'
  // A device that goes away meanwhile has heard it.
  const { look } = await run.lookUntil((now) => !isWritten(now) || isOver(now), run.timing.boot)
  return !isWritten(look)
}

async function ask(run: Run, phase: OpenPhase): Promise<void> {
  const hasChanged = (look: Look) => situationOf(run.entry, look) !== 'written'
  const { look } = await run.lookUntil(
    (now) => hasChanged(now) || now.mark.uptime >= shortestUptime,
    run.timing.boot,
  )
  // An earlier request has come through meanwhile.
  if (hasChanged(look)) return
  await run.note({ phase, reboots: run.entry.reboots + 1, mark: look.mark, bootSeen: false })
  try {
    await run.client.reboot({ signal: run.signal })
  } catch (error) {
    if (run.signal.aborted) throw run.stopped()
    if ((error as VisionError).code !== 'OUTCOME_UNKNOWN' && !isPassing(error)) throw error
  }
}

/** Waits until the device has restarted. One that answers for long with an uptime that grows has not heard the request. */
async function booted(run: Run): Promise<void> {
  const { boot, grace } = run.timing
  // From the end of the request: it may have waited for its answer for long.
  const asked = performance.now()
  try {
    await run.lookUntil((look) => isOver(run, look) || secondsSince(asked) > grace, boot)
  } catch (error) {
    if (isPassing(error)) throw run.error('UNREACHABLE', 'firmware-not-back', { seconds: boot })
    throw error
  }
  run.teller.at('reboot', 0.5)
}

const isOver = ({ entry }: Run, look: Look) =>
  hasBooted(entry, look) || situationOf(entry, look) !== 'written'

const secondsSince = (milliseconds: number) => (performance.now() - milliseconds) / 1000
