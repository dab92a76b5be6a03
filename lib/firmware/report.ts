import { isVisionError } from '../client/vision-error'
import { failureOf, firmwareSentences } from './firmware-error'
import type { JournalEntry } from './journal'
import { lookAt, type DeviceLook } from './look'
import type { Run } from './run'
import type { Outcome, Report } from './types'
import type { Health } from './verify'

const good: ReadonlySet<Outcome> = new Set(['updated', 'already', 'checked', 'uploaded'])

/** The outcome of a run, from its entry and the state of the device. */
export function reportOf(
  { client, language }: Run,
  entry: Pick<JournalEntry, 'mode' | 'serial' | 'from' | 'to' | 'uploads' | 'reboots' | 'backup' | 'phase'>,
  look: Pick<DeviceLook, 'active' | 'pending'>,
  outcome: Outcome,
  { problems, changes }: Health = { problems: [], changes: [] },
): Report {
  const { mode, serial, uploads, reboots, backup } = entry
  const { from, to } = versionsOf(entry)
  const { active, pending } = look
  const values = {
    device: client.name,
    from,
    to,
    active,
    count: changes.length,
    problems: problems.join(' '),
  }
  const key =
    outcome === 'aborted' && pending
      ? 'firmware-outcome-aborted-pending'
      : (`firmware-outcome-${outcome}` as const)
  const wantedBack = outcome === 'rolled-back' && mode === 'rollback'
  return {
    outcome,
    ok: good.has(outcome) || wantedBack,
    mode,
    serial,
    device: client.address,
    from,
    ...(to !== undefined && { to }),
    active,
    pending,
    problems,
    changes,
    ...(backup !== undefined && { backup }),
    uploads,
    reboots,
    text: firmwareSentences.say(wantedBack ? 'firmware-outcome-rolled-back-wanted' : key, values, language),
  }
}

/** On the way back, from and to are swapped. */
function versionsOf({ from, to, phase }: Pick<JournalEntry, 'from' | 'to' | 'phase'>) {
  return phase === 'rolling-back' || phase === 'rebooting-back' ? { from: to ?? '', to: from } : { from, to }
}

/** Ends a run: writes the report to the journal. */
export async function finish(run: Run, outcome: Outcome, health?: Health): Promise<Report> {
  run.stage = 'committed'
  const look = await lastLook(run, outcome)
  const report = reportOf(run, run.entry, look, outcome, health)
  await run.note({ phase: 'done', report })
  return report
}

/** An abort does not wait for an absent device; a device without the whole image is unchanged. */
async function lastLook(
  run: Run,
  outcome: Outcome,
): Promise<DeviceLook | Pick<DeviceLook, 'active' | 'pending'>> {
  if (outcome !== 'aborted') return run.look()
  try {
    return await lookAt(run.client, { signal: run.signal })
  } catch (error) {
    if (run.entry.allSent) {
      await run.note({ phase: 'done', ...(isVisionError(error) && { failure: failureOf(error) }) })
      throw error
    }
    return { active: run.entry.from, pending: false }
  }
}
