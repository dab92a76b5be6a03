import { artifactOf, type Artifact } from './artifact'
import { newEntry, type JournalEntry, isOpen, Journal, type OpenEntry } from './journal'
import { type DeviceState, Run, readDeviceState, AbortRequested, isPassing } from './run'
import { orUndefined, settled } from '../kernel/scope'
import { takeSnapshot } from './snapshot'
import type { Choices, FirmwareOptions, FirmwareRun, Report } from './types'
import { isVisionError, type VisionError } from '../client/vision-error'
import { failureOf, firmwareError, thrown } from './firmware-error'
import { proceed, reportOf } from './proceed'
import { ProgressReporter } from './progress-reporter'
import { artifactGone } from './upload'

const place = Symbol.for('@cellsight/node-red-vision firmware updates')

/** Shared even if the library is loaded twice in one process. */
function underUpdate(): Set<string> {
  const shared = globalThis as { [place]?: Set<string> }
  return (shared[place] ??= new Set())
}

/**
 * Ensures that a device is updated by one run at a time, whatever its address.
 * @returns a function that releases the device; undefined if another run has it
 */
function claimDevice(serial: string): (() => void) | undefined {
  const claimed = underUpdate()
  if (claimed.has(serial)) return undefined
  claimed.add(serial)
  return () => {
    claimed.delete(serial)
  }
}

/**
 * Checks whether the device can be updated now, and begins the journal. Changes nothing on the device.
 * @throws VisionError `REFUSED` if it must not be updated, `INVALID_INPUT` for the artifact
 */
async function check(run: Run, state: DeviceState, choices: Choices): Promise<JournalEntry> {
  const { client, options } = run
  const { mode } = choices
  if (!state.ready) throw run.error('STARTING', 'firmware-not-ready', {})
  if (mode === 'activate') {
    if (!state.pending) throw run.refused('firmware-nothing-pending', { active: state.active })
    const { version } = choices.expected
    if (version !== undefined && state.inactive !== version)
      throw run.refused('firmware-other-pending', { inactive: state.inactive, version })
  } else if (state.pending) throw run.refused('firmware-pending', { inactive: state.inactive })
  if (state.fallback && !choices.allowFallback)
    throw run.refused('firmware-fallback', { active: state.active, inactive: state.inactive })

  const before = await takeSnapshot(client, run.ask)
  const { artifact } = run
  return newEntry({
    ...choices,
    serial: state.serial,
    device: client.address,
    ...(options.owner !== undefined && { owner: options.owner }),
    ...(options.job !== undefined && { job: options.job }),
    from: state.active,
    inactiveBefore: state.inactive,
    before,
    ...targetOfMode(choices, state),
    ...(artifact && {
      artifact: {
        ...(artifact.file !== undefined && { file: artifact.file }),
        size: artifact.size,
        sha256: artifact.sha256,
      },
    }),
  })
}

/** The version that will run in the end, if it is already known. */
function targetOfMode({ mode, expected: { version } }: Choices, state: DeviceState): Partial<JournalEntry> {
  if (mode === 'activate' || mode === 'rollback') return { to: state.inactive, arrived: true }
  return version === undefined ? {} : { to: version }
}

/** Reads the artifact, if the mode requires one. @throws VisionError `INVALID_INPUT` */
async function readArtifact(run: Run, { mode, expected }: Choices): Promise<void> {
  const { source, allowedFolders } = run.options
  if (mode === 'activate' || mode === 'rollback') return
  if (source === undefined) {
    if (mode === 'check') return
    throw run.error('INVALID_INPUT', 'firmware-no-artifact', {})
  }
  const { language, signal } = run
  const onRead = (share: number) => run.progress.at('check', share)
  run.artifact = await artifactOf(source, { expected, allowedFolders, language, signal, onRead })
}

/**
 * Updates a device from one firmware to another, or does a part of that, and reports which one runs in the end. A
 * journal, updated before each action, lets a later call continue after this program, the network or the device died at
 * any point.
 */
export function updateFirmware(options: FirmwareOptions): FirmwareRun {
  const { client, mode = 'update', onProgress, language } = options
  const teller = new ProgressReporter(mode, onProgress, client.name, language)
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
    throw error instanceof AbortRequested ? run.error('ABORTED', 'firmware-aborted-early', {}) : error
  }
}

async function onDevice(run: Run): Promise<Report> {
  const { resume = false, patient = resume } = run.options
  const state = await run.poll(patient ? run.timing.patience : 0)
  const release = claimDevice(state.serial)
  if (!release) throw run.error('BUSY', 'firmware-busy', { serial: state.serial })
  try {
    return await begun(run, state)
  } catch (error) {
    throw await ended(run, error)
  } finally {
    release()
  }
}

async function begun(run: Run, state: DeviceState): Promise<Report> {
  const { options, journal, progress } = run
  const choices = choicesOf(options)
  progress.at('check')
  const last = await journal.read(state.serial)
  const open = last && isOpen(last) ? last : undefined
  if (last?.job !== undefined && last.job === options.job) {
    if (last.report) return last.report
    if (last.failure) throw thrown(last.failure, run.language)
    if (open) return resume(run, open)
  }
  if (options.resume) {
    if (!open) throw run.refused('firmware-nothing-open')
    return resume(run, open)
  }
  await readArtifact(run, choices)
  if (open && isSame(open, choices, run.artifact)) return resume(run, open)

  const { expected, mode } = choices
  const { serial, active: from } = state
  const nothingDone = { mode, serial, from, uploads: 0, reboots: 0, phase: 'checked' as const }
  if (mode === 'update' && from === expected.version && !state.pending)
    return reportOf(run, { ...nothingDone, to: from }, state, 'already')
  const entry = await check(run, state, choices)
  progress.at('check', 1)
  if (mode === 'check') return reportOf(run, entry, state, 'checked')
  if (run.abortAsked) return reportOf(run, entry, state, 'aborted')
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

async function resume(run: Run, open: OpenEntry): Promise<Report> {
  await run.resumeFrom(open)
  return proceed(run, open.phase)
}

/** The failure, with the running version; closes the journal if continuing later makes no sense. */
async function ended(run: Run, error: unknown): Promise<unknown> {
  const entry = run.entry as JournalEntry | undefined
  if (run.signal.aborted) return run.stopped()
  if (!entry || entry.phase === 'done' || !isVisionError(error)) return error
  if (canContinueLater(error)) return hasAdvice(error) ? error : interrupted(run, error)
  const told = error.key === artifactGone ? error : await withVersion(run, error)
  // If only something on this side must be corrected, the same job begins again.
  const end = error.code === 'INVALID_INPUT' ? { job: undefined } : { failure: failureOf(told) }
  // The failure of the run is the more important one.
  await settled(run.note({ phase: 'done', ...end }))
  return told
}

/** The device was away for too long: the journal stays open. */
function interrupted({ language }: Run, { code, message, cause }: VisionError): VisionError {
  const values = { problem: message }
  return firmwareError(code, 'firmware-interrupted', values, language, cause)
}

const hasAdvice = ({ key }: VisionError) => howTo.has(key)

/** Errors whose sentence contains the advice. */
const howTo: ReadonlySet<string> = new Set(['firmware-not-back', 'firmware-no-reboot', 'firmware-folder'])

const canContinueLater = (error: VisionError) =>
  error.code === 'OUTCOME_UNKNOWN' || howTo.has(error.key) || isPassing(error)

async function withVersion(run: Run, error: VisionError): Promise<VisionError> {
  const state = await orUndefined(readDeviceState(run.client, { signal: run.signal }))
  if (!state) return error
  const { code, message, cause } = error
  const key = state.pending ? 'firmware-failed-pending' : 'firmware-failed'
  const { active, inactive } = state
  const values = { problem: message, device: run.client.name, active, inactive }
  return firmwareError(code, key, values, run.language, cause)
}
