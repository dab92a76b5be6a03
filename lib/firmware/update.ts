import { isVisionError, VisionError } from '../client/vision-error'
import type { Artifact } from './artifact'
import { saveSettings } from './backup'
import { check, readArtifact } from './check'
import { claimDevice } from './claims'
import { Journal, type Entry } from './journal'
import { lookAt, type Look } from './look'
import { rebootInto } from './reboot'
import { finish, reportOf } from './report'
import { markInactive, rollBack } from './rollback'
import { AbortAsked, isPassing, Run } from './run'
import { Teller } from './teller'
import type { Choices, FirmwareOptions, FirmwareRun, Report } from './types'
import { upload } from './upload'
import { verify } from './verify'

/**
 * Takes a device from one firmware to another, or does a part of it, and says in the end which one runs. A journal, kept
 * up before each deed, lets a later call go on after this program, the network or the device died at any point.
 */
export function updateFirmware(options: FirmwareOptions): FirmwareRun {
  const { client, mode = 'update', onProgress, language } = options
  const teller = new Teller(mode, onProgress, client.address, language)
  const run = new Run(options, new Journal(options.journals, language), teller)
  return {
    done: onDevice(run),
    abort: () => {
      if (run.stage === 'committed') throw run.refused('firmware-rebooting')
      run.abortAsked = true
      run.abortStep?.()
    },
  }
}

async function onDevice(run: Run): Promise<Report> {
  const look = await run.look(run.options.resume ? run.timing.patience : 0)
  const release = claimDevice(look.serial)
  if (!release) throw run.error('BUSY', 'firmware-busy', { serial: look.serial })
  try {
    return await begun(run, look)
  } catch (error) {
    throw await ended(run, error)
  } finally {
    release()
  }
}

async function begun(run: Run, look: Look): Promise<Report> {
  const { options, journal, teller } = run
  const choices = choicesOf(options)
  teller.at('check')
  const last = await journal.read(look.serial)
  const open = last && last.phase !== 'done' ? last : undefined
  if (options.resume) {
    if (!open) throw run.refused('firmware-nothing-open')
    return goOn(run, open)
  }
  await readArtifact(run, choices)
  if (open && isSame(open, choices, run.artifact)) return goOn(run, open)

  const { expected, mode } = choices
  const { serial, active: from } = look
  const nothingDone = { mode, serial, from, uploads: 0, reboots: 0, phase: 'checked' as const }
  if (mode === 'update' && from === expected.version && !look.pending)
    return reportOf(run, { ...nothingDone, to: from }, look, 'already')
  const entry = await check(run, look, choices)
  teller.at('check', 1)
  if (mode === 'check') return reportOf(run, entry, look, 'checked')
  if (run.abortAsked) return reportOf(run, entry, look, 'aborted')
  run.entry = entry
  await run.note({})
  return proceed(run)
}

const choicesOf = ({
  mode = 'update',
  expected = {},
  onUnhealthy = 'keep',
  onChanged = 'list',
  allowFallback = false,
}: FirmwareOptions): Choices => ({ mode, expected, onUnhealthy, onChanged, allowFallback })

/** The same is wanted as what is not done yet. */
const isSame = (open: Entry, { mode, expected }: Choices, artifact: Artifact | undefined) =>
  open.mode === mode &&
  open.artifact?.sha256 === artifact?.sha256 &&
  (expected.version === undefined || expected.version === open.expected.version)

function goOn(run: Run, open: Entry): Promise<Report> {
  run.entry = open
  run.teller.goesOn(open.mode)
  return proceed(run)
}

/** Does what remains. Each step looks at the device first. */
async function proceed(run: Run): Promise<Report> {
  try {
    const { mode } = run.entry
    if (at(run, 'checked')) await saveSettings(run)
    if (mode === 'update' || mode === 'upload') {
      if (at(run, 'saved', 'uploading', 'uploaded') && !run.abortAsked) await upload(run)
      if (mode === 'upload' && !run.abortAsked) return await finish(run, 'uploaded')
    }
    // Where a reboot was asked for, it is too late.
    if (run.abortAsked && at(run, 'saved', 'uploading', 'uploaded')) return await finish(run, 'aborted')
    run.stage = 'committed'
    return await activate(run)
  } catch (error) {
    if (error instanceof AbortAsked) return finish(run, 'aborted')
    throw error
  }
}

async function activate(run: Run): Promise<Report> {
  if (run.entry.mode === 'rollback' && at(run, 'saved', 'marking')) await markInactive(run, 'marking')
  if (at(run, 'rolling-back', 'rebooting-back')) return goBack(run)
  if (!at(run, 'booted')) {
    const situation = await rebootInto(run, 'rebooting')
    if (situation === 'old') return fellBack(run)
    if (situation !== 'new') throw await foreign(run)
    await run.note({ phase: 'booted' })
  }
  const { mode, to = '', from, onUnhealthy } = run.entry
  const health = await verify(run, to)
  const { active } = await run.look()
  if (active !== to && active === from) return fellBack(run)
  if (health.problems.length === 0)
    return finish(run, mode === 'rollback' ? 'rolled-back' : 'updated', health)
  if (active !== to || onUnhealthy === 'keep' || mode === 'rollback') return finish(run, 'unhealthy', health)
  await run.note({ problems: health.problems })
  return goBack(run)
}

/** The old version runs already; a rollback now would boot the image that could not start. */
async function fellBack(run: Run): Promise<Report> {
  await run.lookUntil(({ ready }) => ready, run.timing.boot)
  return finish(run, 'fell-back')
}

async function goBack(run: Run): Promise<Report> {
  const problems = run.entry.problems ?? []
  try {
    const situation = await rollBack(run)
    if (situation !== 'new') return await finish(run, 'unhealthy', { problems, changes: [] })
  } catch (error) {
    if (!isVisionError(error) || error.code !== 'DEVICE_FAULT') throw error
    return finish(run, 'unhealthy', { problems: [...problems, error.message], changes: [] })
  }
  const health = await verify(run, run.entry.to ?? '')
  return finish(run, 'rolled-back', { ...health, problems: [...problems, ...health.problems] })
}

async function foreign(run: Run) {
  const { active, inactive } = await run.look()
  return run.refused('firmware-foreign', { active, inactive })
}

const at = (run: Run, ...phases: Entry['phase'][]) => phases.includes(run.entry.phase)

/** What went wrong, with the version that runs; closes the journal where going on later makes no sense. */
async function ended(run: Run, error: unknown): Promise<unknown> {
  const entry = run.entry as Entry | undefined
  if (run.signal.aborted) return run.stopped()
  if (!entry || !isVisionError(error) || error.code === 'OUTCOME_UNKNOWN' || isPassing(error)) return error
  await run.note({ phase: 'done' }).catch(() => undefined)
  const look = await lookAt(run.client, { signal: run.signal }).catch(() => undefined)
  if (!look) return error
  const { code, message, cause } = error
  const key = look.pending ? 'firmware-failed-pending' : 'firmware-failed'
  const { active, inactive } = look
  const values = { problem: message, device: run.client.address, active, inactive }
  return new VisionError({ code, key, values, ...(cause && { cause }) }, { language: run.language })
}
