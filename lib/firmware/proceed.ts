import { join } from 'node:path'
import { isVisionError } from '../client/vision-error'
import { failureOf, firmwareSentences, firmwareError, reasonOf } from './firmware-error'
import { type JournalEntry, fileNameOf } from './journal'
import { readDeviceState, type DeviceState, type Run, AbortRequested, type Situation } from './run'
import type { Outcome, Report } from './types'
import { type Health, verify, rebootInto, markInactive, markOld } from './reboot'
import { writeDurably } from '../files/write-durably'
import { phases, type NextPhase, type OpenPhase } from './phases'
import { upload } from './upload'

const good: ReadonlySet<Outcome> = new Set(['updated', 'already', 'checked', 'uploaded'])

/** The outcome of a run, from its entry and the state of the device. */
export function reportOf(
  { client, language }: Run,
  entry: Pick<JournalEntry, 'mode' | 'serial' | 'from' | 'to' | 'uploads' | 'reboots' | 'backup' | 'phase'>,
  state: Pick<DeviceState, 'active' | 'pending'>,
  outcome: Outcome,
  { problems, changes }: Health = { problems: [], changes: [] },
): Report {
  const { mode, serial, uploads, reboots, backup } = entry
  const { from, to } = versionsOf(entry)
  const { active, pending } = state
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
async function finish(run: Run, outcome: Outcome, health?: Health): Promise<Report> {
  run.stage = 'committed'
  const state = await finalState(run, outcome)
  const report = reportOf(run, run.entry, state, outcome, health)
  await run.note({ phase: 'done', report })
  return report
}

/** An abort does not wait for an absent device; a device without the whole image is unchanged. */
async function finalState(
  run: Run,
  outcome: Outcome,
): Promise<DeviceState | Pick<DeviceState, 'active' | 'pending'>> {
  if (outcome !== 'aborted') return run.poll()
  try {
    return await readDeviceState(run.client, { signal: run.signal })
  } catch (error) {
    if (run.entry.allSent) {
      await run.note({ phase: 'done', ...(isVisionError(error) && { failure: failureOf(error) }) })
      throw error
    }
    return { active: run.entry.from, pending: false }
  }
}

/** Executes what remains, phase by phase. Each action checks the device first. @param from the phase in the journal */
export async function proceed(run: Run, from: OpenPhase): Promise<Report> {
  try {
    for (let phase: OpenPhase = phases[from].afterDeath.at; ;) {
      const { abort } = phases[phase]
      if (run.abortAsked && abort === 'before') return await finish(run, 'aborted')
      if (abort === 'too late') run.stage = 'committed'
      const next: OpenPhase | Report = await phaseHandlers[phase](run)
      if (typeof next !== 'string') return next
      phase = next
    }
  } catch (error) {
    if (error instanceof AbortRequested) return finish(run, 'aborted')
    throw error
  }
}

/** What may follow a phase: a report if the run ends, otherwise a phase of the table. */
type Following<From extends OpenPhase> =
  | Exclude<NextPhase<From>, 'done'>
  | ('done' extends NextPhase<From> ? Report : never)

/** The action of each phase in the table. Each checks the device first. */
const phaseHandlers: { readonly [From in OpenPhase]: (run: Run) => Promise<Following<From>> } = {
  checked: async (run) => {
    await saveSettings(run)
    return 'saved'
  },
  saved: ({ entry: { mode } }) =>
    Promise.resolve(mode === 'rollback' ? 'marking' : mode === 'activate' ? 'rebooting' : 'uploading'),
  uploading: async (run) => {
    await upload(run)
    return 'uploaded'
  },
  uploaded: async (run) => (run.entry.mode === 'upload' ? finish(run, 'uploaded') : 'rebooting'),
  marking: async (run) => {
    await markInactive(run, 'marking')
    return 'rebooting'
  },
  rebooting: async (run) => {
    const situation = await rebootInto(run, 'rebooting')
    if (situation === 'old') return fellBack(run)
    if (situation !== 'new') throw await foreign(run)
    await run.note({ phase: 'booted' })
    return 'booted'
  },
  booted: checkNewVersion,
  'rolling-back': (run) =>
    onTheWayBack(run, async () => {
      await markOld(run)
      return 'rebooting-back'
    }),
  'rebooting-back': async (run) => {
    const situation = await onTheWayBack<Situation>(run, () => rebootInto(run, 'rebooting-back'))
    if (typeof situation !== 'string') return situation
    const { problems = [], to = '' } = run.entry
    if (situation !== 'new') return finish(run, 'unhealthy', { problems, changes: [] })
    const health = await verify(run, to)
    return finish(run, 'rolled-back', { ...health, problems: [...problems, ...health.problems] })
  },
}

/** Saves the device's settings to a file, in the form that the device accepts for a restore. */
async function saveSettings(run: Run): Promise<void> {
  const { options, entry, language } = run
  run.progress.at('backup')
  const settings = await run.patiently((signal) => run.client.getBackup({}, { signal }))
  const time = entry.startedAt.replace(/[:.]/g, '-')
  const name = `${fileNameOf(entry.serial)}_${fileNameOf(entry.from)}_${time}.json`
  const backup = join(options.backups, name)
  try {
    await writeDurably(backup, `${JSON.stringify(settings, null, 1)}\n`)
  } catch (error) {
    const values = { folder: options.backups, reason: reasonOf(error) }
    throw firmwareError('INVALID_INPUT', 'firmware-folder', values, language)
  }
  await run.note({ phase: 'saved', backup })
}

/** The new version runs: it is kept or rolled back. */
async function checkNewVersion(run: Run): Promise<Report | 'rolling-back'> {
  const { mode, to = '', from, onUnhealthy } = run.entry
  const health = await verify(run, to)
  const { active } = await run.poll()
  if (active !== to && active === from) return fellBack(run)
  if (health.problems.length === 0)
    return finish(run, mode === 'rollback' ? 'rolled-back' : 'updated', health)
  if (active !== to || onUnhealthy === 'keep' || mode === 'rollback') return finish(run, 'unhealthy', health)
  await run.note({ problems: health.problems })
  return 'rolling-back'
}

/** The old version already runs; a rollback now would boot the image that could not start. */
async function fellBack(run: Run): Promise<Report> {
  await run.pollUntil(({ ready }) => ready, run.timing.boot)
  return finish(run, 'fell-back')
}

/** A device that cannot roll back keeps the new version. */
async function onTheWayBack<Result extends string>(
  run: Run,
  deed: () => Promise<Result>,
): Promise<Result | Report> {
  try {
    return await deed()
  } catch (error) {
    if (!isVisionError(error) || error.code !== 'DEVICE_FAULT') throw error
    const { problems = [] } = run.entry
    return finish(run, 'unhealthy', { problems: [...problems, error.message], changes: [] })
  }
}

async function foreign(run: Run) {
  const { active, inactive } = await run.poll()
  return run.refused('firmware-foreign', { active, inactive })
}
