import type { Client } from '../client/create-client'
import { restAfter } from '../client/error-answer'
import type { VisionError } from '../client/vision-error'
import type { ErrorCode } from '../contract'
import type { Artifact } from './artifact'
import { firmwareError, type FirmwareSentence } from './firmware-error'
import type { JournalEntry, Journal } from './journal'
import { lookAt, type DeviceLook } from './look'
import { isAbortable } from './phases'
import type { RepeatedRead } from './snapshot'
import { sightings, situationOf, targetOf, type Situation } from './situation'
import type { Teller } from './teller'
import { isAway, isPassing, timingByDefault } from './timing'
import type { FirmwareOptions, Timing } from './types'
import { RetrySchedule } from '../kernel/connection'
import { sleep } from '../kernel/timers'

/** Ends a wait for a device that is not there. */
export class AbortAsked extends Error {}

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
    readonly teller: Teller,
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
    this.written = this.written.catch(() => undefined).then(() => this.journal.write(entry))
    await this.written
  }

  /** Continues a stopped run, which then belongs to the new owner. */
  async goesOnWith(open: JournalEntry): Promise<void> {
    const { owner = open.owner, job = open.job } = this.options
    this.entry = open
    this.abortAsked ||= open.abortAsked ?? false
    this.teller.goesOn(open.mode)
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
  async look(seconds: number = this.timing.patience): Promise<DeviceLook> {
    const look = await this.patiently((signal) => lookAt(this.client, { signal }), seconds)
    if (this.begun) {
      if (look.serial !== this.entry.serial)
        throw this.refused('firmware-other-device', { found: look.serial, serial: this.entry.serial })
      const seen = sightings(this.entry, look)
      if (seen) await this.note(seen)
    }
    return look
  }

  /** The situation of the device. */
  async situation(): Promise<{ look: DeviceLook; situation: Situation }> {
    const look = await this.look()
    const situation = situationOf(this.entry, look)
    const to = targetOf(this.entry, look)
    if (situation !== 'untouched' && situation !== 'foreign' && to !== this.entry.to)
      this.entry = { ...this.entry, to }
    return { look, situation }
  }

  /**
   * Polls until the condition holds or the time is over. Returns the last look; throws the last failure if there was
   * none.
   */
  async lookUntil(
    wanted: (look: DeviceLook) => boolean,
    seconds: number,
  ): Promise<{ look: DeviceLook; met: boolean }> {
    const end = performance.now() + 1000 * seconds
    for (;;) {
      const look = await this.look(Math.max(0.001, (end - performance.now()) / 1000))
      if (wanted(look)) return { look, met: true }
      if (performance.now() >= end) return { look, met: false }
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
        this.teller.back()
        return answer
      } catch (error) {
        const left = (end - performance.now()) / 1000
        if (!isPassing(error) || left <= 0) throw error
        if (isAway(error)) this.teller.away(left)
        rest = Math.min(restAfter(error), 1000 * left)
      }
      await this.pause(schedule.next(rest))
    }
  }

  /** `patiently`, for callers without a Run. */
  readonly ask: RepeatedRead = (read) => this.patiently(read)

  /** @param milliseconds @default the polling interval */
  async pause(milliseconds = 1000 * this.timing.poll): Promise<void> {
    if (this.abortAsked && this.stage === 'free') throw new AbortAsked()
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
