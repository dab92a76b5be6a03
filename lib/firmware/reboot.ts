import type { VisionError } from '../client/vision-error'
import { type DeviceState, type Run, isPassing, hasBooted, situationOf, type Situation } from './run'
import type { OpenPhase } from './phases'
import { ailingNodes, changesBetween, takeSnapshot, type AilingNode, type Change } from './snapshot'
import { firmwareSentences, type FirmwareSentence } from './firmware-error'

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
  run.progress.at('reboot')
  for (;;) {
    const { state, situation } = await run.situation()
    if (situation !== 'written') return situation
    if (run.entry.phase === phase && (await cameLate(run, state))) continue
    if (run.entry.reboots >= mostReboots) throw run.refused('firmware-no-reboot', { count: mostReboots })
    await ask(run, phase)
    await booted(run)
  }
}

/** Waits for the restart that an earlier request may still cause. @returns whether it happened */
async function cameLate(run: Run, first: DeviceState): Promise<boolean> {
  const { mark } = run.entry
  // By the device's uptime, which has advanced even if this program was not running.
  const isOver = ({ mark: now }: DeviceState) => !mark || now.uptime - mark.uptime > run.timing.grace
  if (isOver(first)) return false
  const isWritten = (state: DeviceState) => situationOf(run.entry, state) === 'written'
  // A device that disappears meanwhile has received the request.
  const { state } = await run.pollUntil((now) => !isWritten(now) || isOver(now), run.timing.boot)
  return !isWritten(state)
}

async function ask(run: Run, phase: OpenPhase): Promise<void> {
  const hasChanged = (state: DeviceState) => situationOf(run.entry, state) !== 'written'
  const { state } = await run.pollUntil(
    (now) => hasChanged(now) || now.mark.uptime >= shortestUptime,
    run.timing.boot,
  )
  // An earlier request has taken effect in the meantime.
  if (hasChanged(state)) return
  await run.note({ phase, reboots: run.entry.reboots + 1, mark: state.mark, bootSeen: false })
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
    await run.pollUntil((state) => isOver(run, state) || secondsSince(asked) > grace, boot)
  } catch (error) {
    if (isPassing(error)) throw run.error('UNREACHABLE', 'firmware-not-back', { seconds: boot })
    throw error
  }
  run.progress.at('reboot', 0.5)
}

const isOver = ({ entry }: Run, state: DeviceState) =>
  hasBooted(entry, state) || situationOf(entry, state) !== 'written'

const secondsSince = (milliseconds: number) => (performance.now() - milliseconds) / 1000

/**
 * Makes the device boot its inactive image at the next start. The device accepts this once; if an answer is missing,
 * its images show whether it was done.
 * @throws VisionError for example `DEVICE_FAULT`
 */
export async function markInactive(run: Run, phase: OpenPhase): Promise<void> {
  run.progress.at('rollback')
  if (run.entry.phase !== phase) await run.note({ phase })
  for (let count = 1; ; count++) {
    const { state, situation } = await run.situation()
    if (state.pending || situation !== 'written') return
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

export interface Health {
  /** As sentences; empty if there are none. */
  problems: string[]
  changes: Change[]
}

/**
 * Checks whether the device works as before, on that version: ready, no fallback, the nodes of all pipelines, the
 * parameters. Gives it time to start.
 */
export async function verify(run: Run, version: string): Promise<Health> {
  const { timing, entry } = run
  run.progress.at('verify')
  const { state, met } = await run.pollUntil(({ ready }) => ready, timing.boot)
  if (!met) return { problems: [said(run, 'firmware-not-ready')], changes: [] }
  run.progress.at('verify', 0.3)
  const wrong = imageProblems(run, state, version)
  const nodes = await settled(run)
  const now = await takeSnapshot(run.client, run.ask, 'parameters')
  const changes = entry.before ? changesBetween(entry.before, now) : []
  const changed = changes.length > 0 && entry.onChanged === 'unhealthy'
  return {
    problems: [
      ...wrong,
      ...nodes.map((node) => said(run, 'firmware-problem-node', { ...node })),
      ...(changed ? [said(run, 'firmware-problem-parameters', { count: changes.length })] : []),
    ],
    changes,
  }
}

function imageProblems(run: Run, state: DeviceState, version: string): string[] {
  const { active, fallback } = state
  if (active !== version) return [said(run, 'firmware-problem-version', { active, version })]
  return fallback ? [said(run, 'firmware-problem-fallback', { active })] : []
}

/** Nodes that still do not work when their time is over. */
async function settled(run: Run): Promise<AilingNode[]> {
  const { before } = run.entry
  const end = performance.now() + 1000 * run.timing.settle
  for (;;) {
    const nodes = before ? ailingNodes(before, await takeSnapshot(run.client, run.ask, 'states')) : []
    if (nodes.length === 0 || performance.now() >= end) return nodes
    await run.pause()
  }
}

const said = (run: Run, key: FirmwareSentence, values: Record<string, unknown> = {}) =>
  firmwareSentences.say(key, { device: run.client.name, ...values }, run.language)
