import type { VisionError } from '../client/vision-error'
import type { ErrorCode } from '../contract'
import type { Timing, FirmwareOptions } from './types'
import type { Client } from '../client/create-client'
import type { CallOptions } from '../client/options'
import { markedState, type UptimeMark, hasRestarted } from '../system/reboot'
import type { JournalEntry, Journal } from './journal'
import { restAfter } from '../client/error-answer'
import type { Artifact } from './artifact'
import { firmwareError, type FirmwareSentence } from './firmware-error'
import { isAbortable } from './phases'
import type { RepeatedRead } from './snapshot'
import type { ProgressReporter } from './progress-reporter'
import { RetrySchedule } from '../kernel/connection'
import { settled } from '../kernel/scope'
import { sleep } from '../kernel/timers'

const timingByDefault: Timing = {
  patience: 600,
  upload: 1800,
  stall: 30,
  write: 600,
  boot: 600,
  settle: 60,
  grace: 60,
  poll: 1,
}

/** Errors of a device that was not there. */
const away: readonly ErrorCode[] = ['UNREACHABLE', 'TIMEOUT', 'STARTING']

/** Errors of a device that was not there or not able to answer, which may pass. */
const passing: readonly ErrorCode[] = [...away, 'RATE_LIMITED', 'DEVICE_FAULT', 'NOT_FOUND', 'BAD_REPLY']

const isAway = (error: unknown): boolean => away.includes((error as VisionError).code)

export const isPassing = (error: unknown): boolean => passing.includes((error as VisionError).code)

/** A device at one moment. */
export interface DeviceState {
  serial: string
  ready: boolean
  mark: UptimeMark
  active: string
  inactive: string
  fallback: boolean
  /** Whether the next start boots the inactive image. */
  pending: boolean
}

export async function readDeviceState(client: Client, options?: CallOptions): Promise<DeviceState> {
  const { system, mark } = await markedState(() => client.getSystem({ ...options, waitForDevice: false }))
  const { serial, ready, firmware } = system
  return {
    serial,
    ready,
    mark,
    active: firmware.active_image.image_version,
    inactive: firmware.inactive_image.image_version,
    fallback: firmware.fallback_booted,
    pending: firmware.next_boot_image === 'inactive_image',
  }
}

/**
 * The situation of a device in a run.
 * - `untouched`: the image is not there.
 * - `written`: the image is there, and the device has not restarted since.
 * - `new`: the image runs.
 * - `old`: the device has restarted and still runs the old version: it fell back.
 * - `foreign`: none of these; another client has changed it.
 */
export type Situation = 'untouched' | 'written' | 'new' | 'old' | 'foreign'

type Known = Pick<
  JournalEntry,
  'from' | 'to' | 'inactiveBefore' | 'arrived' | 'pendingSeen' | 'mark' | 'bootSeen'
>

/** The version that the run is about, even if only the device shows it. */
function targetOf({ to, from, inactiveBefore }: Known, state: DeviceState): string | undefined {
  if (to !== undefined) return to
  if (state.active !== from) return state.active
  return state.pending || state.inactive !== inactiveBefore ? state.inactive : undefined
}

export function situationOf(entry: Known, state: DeviceState): Situation {
  const { from, inactiveBefore, arrived } = entry
  const { active, inactive, pending, fallback } = state
  const to = targetOf(entry, state)
  if (to === undefined) return 'untouched'
  if (pending) return active === from && inactive === to ? 'written' : 'foreign'
  // A start clears the mark, even if the uptime proves nothing because the device was not polled for a long time.
  const booted = entry.pendingSeen || hasBooted(entry, state)

  if (to !== from && active === to) return 'new'
  if (active !== from) return 'foreign'
  if (inactive !== to) return inactive === inactiveBefore && !arrived ? 'untouched' : 'foreign'
  // The same version name was there before: only its arrival distinguishes the two.
  if (inactiveBefore === to && !arrived) return 'untouched'
  if (!booted) return 'written'
  return to === from && !fallback ? 'new' : 'old'
}

/** Whether the device has restarted since the last action that may have led to a restart. */
export const hasBooted = (
  { mark, bootSeen }: Pick<JournalEntry, 'mark' | 'bootSeen'>,
  state: Pick<DeviceState, 'mark'>,
): boolean => bootSeen === true || (mark !== undefined && hasRestarted(mark, state.mark))

/** What this state shows and a later one may no longer show; undefined if the entry already has it. */
export function observations(entry: JournalEntry, state: DeviceState): Partial<JournalEntry> | undefined {
  const pendingSeen = state.pending && !entry.pendingSeen
  const bootSeen = !entry.bootSeen && hasBooted(entry, state)
  if (!pendingSeen && !bootSeen) return undefined
  return { ...(pendingSeen && { pendingSeen }), ...(bootSeen && { bootSeen }) }
}

/** Ends a wait for a device that is not there. */
export class AbortRequested extends Error {}

/** Share of the polling interval that limits the first pause after a failed read. */
const firstShare = 0.1

/** What the steps of one run share: the device, the journal's entry, the time limits. */
export class Run {
  readonly client: Client
  readonly timing: Timing
  readonly language: string | undefined
  /** Aborted when the run must stop where it is. */
  readonly signal: AbortSignal
  /**
   * Whether the run may be ended: with `writing` only after the device has finished writing, with `committed` no
   * longer.
   */
  stage: 'free' | 'writing' | 'committed' = 'free'
  /** Set when the run must end as soon as possible. */
  abortAsked = false
  /** Ends the present step, if it can be ended. */
  abortStep: (() => void) | undefined
  artifact: Artifact | undefined
  entry!: JournalEntry
  private written: Promise<void> = Promise.resolve()

  constructor(
    readonly options: FirmwareOptions,
    readonly journal: Journal,
    readonly progress: ProgressReporter,
  ) {
    this.client = options.client
    this.timing = { ...timingByDefault, ...options.timing }
    this.language = options.language
    this.signal = options.signal ?? new AbortController().signal
  }

  /** Changes the journal; resolves when the change would survive a power failure. */
  async note(change: Partial<JournalEntry>): Promise<void> {
    const entry = (this.entry = { ...this.entry, ...change })
    // One after the other, even while a progress message is being written.
    this.written = settled(this.written).then(() => this.journal.write(entry))
    await this.written
  }

  /** Continues a stopped run, which then belongs to the new owner. */
  async resumeFrom(open: JournalEntry): Promise<void> {
    const { owner = open.owner, job = open.job } = this.options
    this.entry = open
    this.abortAsked ||= open.abortAsked ?? false
    this.progress.resumeIn(open.mode)
    if (owner !== open.owner || job !== open.job)
      await this.note({ ...(owner && { owner }), ...(job && { job }) })
  }

  /**
   * Ends the run as soon as possible; resolves when that would survive a power failure.
   * @throws VisionError `REFUSED` from the reboot on
   */
  async abort(): Promise<void> {
    const waiting = this.begun ? undefined : await this.waitsFor()
    if (this.stage === 'committed' || (waiting && !isAbortable(waiting.phase)))
      throw this.refused('firmware-rebooting')
    this.abortAsked = true
    this.abortStep?.()
    if (this.begun) await this.note({ abortAsked: true })
    else if (waiting) await this.journal.write({ ...waiting, abortAsked: true })
  }

  private get begun(): boolean {
    return (this.entry as JournalEntry | undefined) !== undefined
  }

  /** What the run continues with as soon as the device answers. */
  private async waitsFor(): Promise<JournalEntry | undefined> {
    const { resume, job, owner } = this.options
    if (!resume && job === undefined) return undefined
    const open = await this.journal.open()
    return open.find((entry) => entry.device === this.client.address && entry.owner === owner)
  }

  /**
   * Reads the state of the device, and waits for it if it is not there.
   * @param seconds longest wait @default the patience of the options
   * @throws VisionError the device's last failure, or `REFUSED` if another device answers
   */
  async poll(seconds: number = this.timing.patience): Promise<DeviceState> {
    const state = await this.patiently((signal) => readDeviceState(this.client, { signal }), seconds)
    if (this.begun) {
      if (state.serial !== this.entry.serial)
        throw this.refused('firmware-other-device', { found: state.serial, serial: this.entry.serial })
      const seen = observations(this.entry, state)
      if (seen) await this.note(seen)
    }
    return state
  }

  /** The situation of the device. */
  async situation(): Promise<{ state: DeviceState; situation: Situation }> {
    const state = await this.poll()
    const situation = situationOf(this.entry, state)
    const to = targetOf(this.entry, state)
    if (situation !== 'untouched' && situation !== 'foreign' && to !== this.entry.to)
      this.entry = { ...this.entry, to }
    return { state, situation }
  }

  /**
   * Polls until the condition holds or the time is over. Returns the last state; throws the last failure if there was
   * none.
   */
  async pollUntil(
    wanted: (state: DeviceState) => boolean,
    seconds: number,
  ): Promise<{ state: DeviceState; met: boolean }> {
    const end = performance.now() + 1000 * seconds
    for (;;) {
      const state = await this.poll(Math.max(0.001, (end - performance.now()) / 1000))
      if (wanted(state)) return { state, met: true }
      if (performance.now() >= end) return { state, met: false }
      await this.pause()
    }
  }

  /** Repeats a read while the device is not there, for at most this many seconds. */
  async patiently<Answer>(
    read: (signal: AbortSignal) => Promise<Answer>,
    seconds: number = this.timing.patience,
  ): Promise<Answer> {
    const end = performance.now() + 1000 * seconds
    const longest = 1000 * this.timing.poll
    const schedule = new RetrySchedule({
      first: firstShare * longest,
      longest,
      shortest: (firstShare * longest) / 2,
    })
    for (;;) {
      let rest = 0
      try {
        const answer = await read(this.signal)
        this.progress.back()
        return answer
      } catch (error) {
        const left = (end - performance.now()) / 1000
        if (!isPassing(error) || left <= 0) throw error
        if (isAway(error)) this.progress.away(left)
        rest = Math.min(restAfter(error), 1000 * left)
      }
      await this.pause(schedule.next(rest))
    }
  }

  /** `patiently`, for callers without a Run. */
  readonly ask: RepeatedRead = (read) => this.patiently(read)

  /** @param milliseconds @default the polling interval */
  async pause(milliseconds = 1000 * this.timing.poll): Promise<void> {
    if (this.abortAsked && this.stage === 'free') throw new AbortRequested()
    try {
      await sleep(milliseconds, this.signal)
    } catch {
      throw this.stopped()
    }
  }

  /** The run was stopped from outside, and can be continued later. */
  stopped(): VisionError {
    return this.error('ABORTED', 'firmware-stopped', {})
  }

  refused(key: FirmwareSentence, values: Record<string, unknown> = {}): VisionError {
    return this.error('REFUSED', key, values)
  }

  error(code: ErrorCode, key: FirmwareSentence, values: Record<string, unknown>): VisionError {
    return firmwareError(code, key, { device: this.client.name, ...values }, this.language)
  }
}
