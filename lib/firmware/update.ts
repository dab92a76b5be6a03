import { isVisionError, type VisionError } from '../client/vision-error'
import type { Artifact } from './artifact'
import { check, readArtifact } from './check'
import { claimDevice } from './claims'
import { failureOf, firmwareError, thrown } from './firmware-error'
import { isOpen, Journal, type JournalEntry, type OpenEntry } from './journal'
import { lookAt, type DeviceLook } from './look'
import { proceed } from './proceed'
import { reportOf } from './report'
import { AbortAsked, Run } from './run'
import { Teller } from './teller'
import { isPassing } from './timing'
import type { Choices, FirmwareOptions, FirmwareRun, Report } from './types'
import { artifactGone } from './upload'

/**
 * Updates a device from one firmware to another, or does a part of that, and reports which one runs in the end. A
 * journal, updated before each action, lets a later call continue after this program, the network or the device died at
 * any point.
 */
export function updateFirmware(options: FirmwareOptions): FirmwareRun {
  const { client, mode = 'update', onProgress, language } = options
  const teller = new Teller(mode, onProgress, client.name, language)
  const run = new Run(options, new Journal(options.journals, language), teller)
  return {
    done: once(run),
    abort: () => run.abort(),
  }
}

async function once(run: Run): Promise<Report> {
  try {
    return await onDevice(run)
  } catch (error) {
    // Work that had begun ends with a report.
    throw error instanceof AbortAsked ? run.error('ABORTED', 'firmware-aborted-early', {}) : error
  }
}

async function onDevice(run: Run): Promise<Report> {
  const { resume = false, patient = resume } = run.options
  const look = await run.look(patient ? run.timing.patience : 0)
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

async function begun(run: Run, look: DeviceLook): Promise<Report> {
  const { options, journal, teller } = run
  const choices = choicesOf(options)
  teller.at('check')
  await journal.tidy(look.serial)
  const last = await journal.read(look.serial)
  const open = last && isOpen(last) ? last : undefined
  if (last?.job !== undefined && last.job === options.job) {
    if (last.report) return last.report
    if (last.failure) throw thrown(last.failure, run.language)
    if (open) return goOn(run, open)
  }
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
  return proceed(run, 'checked')
}

const choicesOf = ({
  mode = 'update',
  expected = {},
  onUnhealthy = 'keep',
  onChanged = 'list',
  allowFallback = false,
}: FirmwareOptions): Choices => ({ mode, expected, onUnhealthy, onChanged, allowFallback })

/** Whether the same is requested as in the unfinished run. */
const isSame = (open: JournalEntry, { mode, expected }: Choices, artifact: Artifact | undefined) =>
  open.mode === mode &&
  open.artifact?.sha256 === artifact?.sha256 &&
  (expected.version === undefined || expected.version === open.expected.version)

async function goOn(run: Run, open: OpenEntry): Promise<Report> {
  await run.goesOnWith(open)
  return proceed(run, open.phase)
}

/** The failure, with the running version; closes the journal if continuing later makes no sense. */
async function ended(run: Run, error: unknown): Promise<unknown> {
  const entry = run.entry as JournalEntry | undefined
  if (run.signal.aborted) return run.stopped()
  if (!entry || entry.phase === 'done' || !isVisionError(error)) return error
  if (goesOnLater(error)) return isToldHowTo(error) ? error : interrupted(run, error)
  const told = error.key === artifactGone ? error : await withVersion(run, error)
  // If only something on this side must be corrected, the same job begins again.
  const end = error.code === 'INVALID_INPUT' ? { job: undefined } : { failure: failureOf(told) }
  await run.note({ phase: 'done', ...end }).catch(() => undefined)
  return told
}

/** The device was away for too long: the journal stays open. */
function interrupted({ language }: Run, { code, message, cause }: VisionError): VisionError {
  const values = { problem: message }
  return firmwareError(code, 'firmware-interrupted', values, language, cause)
}

const isToldHowTo = ({ key }: VisionError) => howTo.has(key)
/** These say themselves what to do. */
const howTo: ReadonlySet<string> = new Set(['firmware-not-back', 'firmware-no-reboot', 'firmware-folder'])

const goesOnLater = (error: VisionError) =>
  error.code === 'OUTCOME_UNKNOWN' || howTo.has(error.key) || isPassing(error)

async function withVersion(run: Run, error: VisionError): Promise<VisionError> {
  const look = await lookAt(run.client, { signal: run.signal }).catch(() => undefined)
  if (!look) return error
  const { code, message, cause } = error
  const key = look.pending ? 'firmware-failed-pending' : 'firmware-failed'
  const { active, inactive } = look
  const values = { problem: message, device: run.client.name, active, inactive }
  return firmwareError(code, key, values, run.language, cause)
}
