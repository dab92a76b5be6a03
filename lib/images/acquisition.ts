/** Takes one picture on demand: triggers once, and proves the picture by the set that belongs to the trigger. */
import { awaitedLater, settled } from '../kernel/scope'
import type { ReturnCode } from '../contract'
import { triggerRemarks } from '../contract/reading/values'
import { VisionError } from '../client/vision-error'
import type { WantedImages } from '../codec/images/codec'
import { patientTimeout, sleep } from '../kernel/timers'
import { imagesError, type ImageFailure } from './failures'
import { inSingleFrame, type ModeSteps, openImageEvents, openImages } from './open'
import type { ImageLinkOptions, ImageSet, ImageEvent, ImageLink, ImageStreamOptions } from './options'

/** Nanoseconds by which the times of a set and its event may differ; sets are at least 30 ms apart. */
const sameTime = 5_000_000n

interface Awaited {
  /** The pictures are taken; undefined until the device reports it. */
  taken?: ImageEvent
  /** The first set with depth that is newer than all before the trigger. */
  set?: ImageSet
  broken?: VisionError
  /** A set that arrived before the trigger's answer is replaced by a later one, unless it was announced. */
  isWary: boolean
}

/** The set is the one whose pictures the device announced. */
const isAnnounced = ({ set, taken }: Awaited): boolean =>
  set !== undefined && taken !== undefined && set.timestamp <= taken.timestamp + sameTime

/** Reads sets and events, and keeps those that belong to the running trigger. */
class SetWatch {
  /** Sets with depth received without a trigger from here. */
  unasked = 0
  /** Monotonic milliseconds. */
  openedAt = 0
  private readonly sets: ImageLink<ImageSet>
  private readonly events: ImageLink<ImageEvent> | undefined
  /** Settles when the events of a device without events have ended. */
  private withoutEvents: Promise<void> | undefined
  private readonly reading: Promise<void>[]
  /** Device time of the newest set with depth, nanoseconds; 0 before the first. */
  newest = 0n
  private connection = 0
  private awaited: Awaited | undefined
  private changed: () => void = () => undefined
  private failure: VisionError | undefined

  constructor(options: ImageStreamOptions, withEvents: boolean) {
    const onState: ImageStreamOptions['onState'] = (state) => {
      if (state.open) this.openedAt = performance.now()
      else this.broke(state.error)
    }
    this.sets = openImages({ ...options, newestOnly: false, onState })
    const ofEvents: ImageStreamOptions['onState'] = (state) => {
      // Older firmware has no events, at the next attempt either.
      if (!state.open && state.error.code === 'NOT_FOUND') this.withoutEvents = this.events?.close()
    }
    this.events = withEvents ? openImageEvents({ ...options, onState: ofEvents }) : undefined
    this.reading = [this.readSets(), this.readEvents()]
  }

  get isOpen(): boolean {
    return this.sets.isOpen
  }

  /** Resolves when sets arrive, and events if the device has them. @throws VisionError */
  async opened(): Promise<void> {
    if (this.failure && !this.sets.isOpen) throw this.failure
    // Older firmware has no events; then the set itself proves that its pictures were taken.
    await Promise.all([this.sets.opened(), this.events && settled(this.events.opened())])
  }

  /** What arrives from now on belongs to the trigger that follows. */
  begin(): Awaited {
    this.unasked = 0
    this.awaited = { isWary: true }
    return this.awaited
  }

  /** Resolves at the next change of the object that `begin` returned. */
  change(): Promise<void> {
    return new Promise((resolve) => (this.changed = resolve))
  }

  end(): void {
    this.awaited = undefined
  }

  async close(): Promise<void> {
    await Promise.all([this.sets.close(), this.events?.close(), this.withoutEvents])
    await Promise.all(this.reading)
  }

  private async readSets(): Promise<void> {
    try {
      for await (const set of this.sets) this.arrived(set)
    } catch (error) {
      this.broke(error as VisionError)
    }
  }

  private arrived(set: ImageSet): void {
    // A device that restarted may begin at an earlier time.
    if (set.connection !== this.connection) this.newest = 0n
    this.connection = set.connection
    if (!set.disparity || set.timestamp <= this.newest) return
    this.newest = set.timestamp
    if (!this.awaited) this.unasked++
    // The announced pictures are later ones: this set was already on its way.
    else if (this.awaited.taken && set.timestamp < this.awaited.taken.timestamp - sameTime) return
    else if (!this.awaited.set || (this.awaited.isWary && !isAnnounced(this.awaited))) {
      this.awaited.set = set
      this.changed()
    }
  }

  private async readEvents(): Promise<void> {
    try {
      for await (const event of this.events ?? []) {
        const { awaited } = this
        // The event of a set received before the trigger is late; that of its own set may be late too.
        const since = (awaited?.set?.timestamp ?? this.newest + 2n * sameTime) - sameTime
        if (!awaited || awaited.taken || event.timestamp < since) continue
        if (awaited.set && awaited.set.timestamp < event.timestamp - sameTime) delete awaited.set
        awaited.taken = event
        this.changed()
      }
    } catch {
      // Without events, the set itself is the proof.
    }
  }

  private broke(error: VisionError): void {
    this.failure = error
    if (!this.awaited) return
    this.awaited.broken ??= error
    this.changed()
  }
}

/** The HTTP calls of an acquisition. */
export interface AcquisitionSteps extends ModeSteps {
  /** Calls `acquisition_trigger` once. Throws if the device refuses, but not for 101 and 102. */
  trigger: () => Promise<ReturnCode>
  /** Duration of a depth image, milliseconds. */
  period: () => Promise<number>
  /** Called when the pictures are taken: the robot may move. Must not throw. */
  onTaken?: (by: TakenBy) => void
}

/** Proof that the pictures were taken: the device's event, or the set itself. */
export type TakenBy = 'event' | 'set'

/**
 * Why the set may belong to another trigger: one was `pending` already (101); the set arrived before the trigger's
 * answer, unannounced (`early`); or another client triggers too (`others`).
 */
export type Doubt = 'pending' | 'early' | 'others'

/** One picture on demand. */
export interface Acquired {
  set: ImageSet
  doubt?: Doubt
  takenBy: TakenBy
  /** Milliseconds from the trigger until the pictures were taken. */
  takenAfter: number
  /** Milliseconds from the trigger until the set had arrived. */
  doneAfter: number
  modeLeft?: VisionError
}

/** Where the pictures come from, and how they are taken. */
export interface AcquisitionOptions extends Omit<ImageLinkOptions, 'onState' | 'reconnects' | 'signal'> {
  /** Besides the disparity, which is always received: it proves the picture. */
  wanted?: WantedImages
  /** The stream stays open between two acquisitions. @default true */
  staysOpen?: boolean
  restoresMode?: boolean
  /** The device's events are received, so that `onTaken` comes before the set. @default true */
  events?: boolean
  /** Milliseconds from an accepted trigger to its set. @default 10000 */
  deadline?: number
  /** Milliseconds after opening in which the device may not know its subscriber yet (102). @default 2000 */
  subscribing?: number
}

const pause = 50 // milliseconds between two triggers answered with 102

/** Milliseconds in which the event, or a later set, may follow a set that arrived before the trigger's answer. */
const earlyGrace = 100

/** Triggers before 102 is an error: a process that was stopped has not waited. */
const fewestTriggers = 5

/**
 * Takes one picture on demand, and proves it by the image set that belongs to the trigger: the first set with depth
 * after the trigger, newer by the device's own clock than all before. Triggers once, and again only if the device
 * reported that nothing was acquired (102). One acquisition at a time.
 */
export class Acquisition {
  private watch: SetWatch | undefined

  constructor(private readonly options: AcquisitionOptions) {}

  get isOpen(): boolean {
    return this.watch?.isOpen ?? false
  }

  /** Device time of the newest received set with depth, nanoseconds; 0 after reopening. */
  get newest(): bigint {
    return this.watch?.newest ?? 0n
  }

  /**
   * @throws VisionError of the stream if it cannot be opened, when nothing was triggered; errors of the steps;
   * `REFUSED` (102) without a subscriber; `OUTCOME_UNKNOWN` if the trigger was accepted and no set came, or the stream
   * broke; `ABORTED`
   */
  async acquire(steps: AcquisitionSteps, signal?: AbortSignal): Promise<Acquired> {
    const { staysOpen = true, restoresMode = false } = this.options
    const wasOpen = this.isOpen
    let isDoubtful = false
    const opening = {
      ...steps,
      mode: async () => {
        await this.open(signal)
        return steps.mode()
      },
    }
    const change = {
      restoresMode,
      // A stream receives what is taken after its opening: not the continuous pictures before.
      beforeChange: () => this.close(),
      afterwards: async (isRestored: boolean) => {
        this.watch?.end()
        // Without a set, the device may have restarted, or its clock been set back. After a restored mode,
        // sets that are not needed would arrive.
        if (!staysOpen || isDoubtful || !this.isOpen || isRestored) await this.close()
      },
    }
    return inSingleFrame(opening, change, async (isChanged) => {
      if (isChanged)
        await sleep(2 * (await steps.period()), signal).catch(() => this.fail('ABORTED', 'acquire-aborted'))
      const others = !isChanged && (this.watch?.unasked ?? 0) > 0
      try {
        return await this.triggered(steps, { wasOpen: wasOpen && !isChanged, others }, signal)
      } catch (error) {
        isDoubtful = error instanceof VisionError && error.code === 'OUTCOME_UNKNOWN'
        throw error
      }
    })
  }

  async close(): Promise<void> {
    const { watch } = this
    this.watch = undefined
    await watch?.close()
  }

  private async open(signal: AbortSignal | undefined): Promise<SetWatch> {
    if (this.watch && !this.watch.isOpen) await this.close()
    const { wanted, staysOpen = true, events = true } = this.options
    const options = { ...this.options, wanted: { ...wanted, disparity: true }, reconnects: staysOpen }
    const watch = (this.watch ??= new SetWatch(options, events))
    await this.unlessAborted(watch.opened(), signal)
    return watch
  }

  private async triggered(
    steps: AcquisitionSteps,
    { wasOpen, others }: { wasOpen: boolean; others: boolean },
    signal: AbortSignal | undefined,
  ): Promise<Acquired> {
    const { watch, awaited, began, code } = await this.trigger(steps, wasOpen, signal)
    // The connections overtake each other: a set before the answer may be an older one, if no event follows.
    const isWary = awaited.set !== undefined
    awaited.isWary = isWary
    let taken: { takenBy: TakenBy; takenAfter: number } | undefined
    const reportTaken = (takenBy: TakenBy) => {
      taken = { takenBy, takenAfter: performance.now() - began }
      steps.onTaken?.(takenBy)
      return taken
    }

    const patience = { isOver: false }
    const stopWaiting = patientTimeout(() => {
      patience.isOver = true
      wake()
    }, this.options.deadline ?? 10_000)
    let isSettled = !isWary
    let stopSettling: (() => void) | undefined
    let wake: () => void = () => undefined
    try {
      while (!awaited.set || !(isAnnounced(awaited) || isSettled)) {
        if (signal?.aborted) this.fail('ABORTED', 'acquire-aborted')
        if (awaited.taken && !taken) reportTaken('event')
        if (awaited.broken && awaited.set) break
        if (awaited.broken) this.broken(awaited.broken)
        if (awaited.set && !stopSettling)
          stopSettling = patientTimeout(() => {
            isSettled = true
            wake()
          }, earlyGrace)
        if (patience.isOver)
          this.fail('OUTCOME_UNKNOWN', 'acquire-no-set', {
            seconds: (this.options.deadline ?? 10_000) / 1000,
          })
        await new Promise<void>((resolve) => {
          wake = resolve
          watch.change().then(resolve, resolve)
          signal?.addEventListener('abort', wake, { once: true })
        })
        signal?.removeEventListener('abort', wake)
      }
    } finally {
      stopWaiting()
      stopSettling?.()
    }
    const reported = taken ?? reportTaken(awaited.taken ? 'event' : 'set')
    const doubt =
      code.value === triggerRemarks.pending
        ? 'pending'
        : isWary && !isAnnounced(awaited)
          ? 'early'
          : others
            ? 'others'
            : undefined
    return {
      set: awaited.set,
      ...reported,
      doneAfter: performance.now() - began,
      ...(doubt && { doubt }),
    }
  }

  /** Again while the device does not know its subscriber, because then nothing was acquired. */
  private async trigger(
    steps: AcquisitionSteps,
    wasOpen: boolean,
    signal: AbortSignal | undefined,
  ): Promise<{ watch: SetWatch; awaited: Awaited; began: number; code: ReturnCode }> {
    for (let times = 1; ; times++) {
      // Nothing was triggered yet: the failure of the stream is passed on.
      const watch = await this.open(signal)
      const awaited = watch.begin()
      const began = performance.now()
      const code = await steps.trigger()
      if (code.value !== triggerRemarks.noSubscriber) return { watch, awaited, began, code }
      const isOver = performance.now() - watch.openedAt > (this.options.subscribing ?? 2000)
      // It knew the stream before: it may have restarted, or lost the connection silently.
      if (wasOpen && times === 1) await this.close()
      else if (isOver && times >= fewestTriggers)
        this.fail('REFUSED', 'acquire-no-subscriber', {}, { status: 200, returnCode: code })
      else await sleep(pause, signal).catch(() => this.fail('ABORTED', 'acquire-aborted'))
    }
  }

  private async unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    if (!signal) return work
    let aborted: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (aborted = resolve))
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    try {
      await Promise.race([awaitedLater(work), ended])
    } finally {
      signal.removeEventListener('abort', aborted)
    }
    if (signal.aborted) this.fail('ABORTED', 'acquire-aborted')
  }

  private broken(error: VisionError): never {
    const { reason = error.code } = error.cause ?? {}
    return this.fail('OUTCOME_UNKNOWN', 'acquire-broken', { reason }, error.cause)
  }

  private fail(
    code: ImageFailure['code'],
    key: ImageFailure['key'],
    values: Record<string, unknown> = {},
    cause?: ImageFailure['cause'],
  ): never {
    const { host, port = 50_051, device = `${host}:${port}`, language } = this.options
    const where = { device, address: `${host}:${port}`, ...(language !== undefined && { language }) }
    throw imagesError({ code, key, values, ...(cause && { cause }) }, where)
  }
}
