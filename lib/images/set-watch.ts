import type { VisionError } from '../client/vision-error'
import { openImageEvents, openImages } from './open'
import type { ImageEvent, ImageLink, ImageSet, ImageStreamOptions } from './types'

/** Nanoseconds by which the times of a set and of its event may differ; sets are at least 30 ms apart. */
const sameTime = 5_000_000n

/** What belongs to one trigger, as it arrives. */
export interface Awaited {
  /** The pictures are taken; absent until the device says so. */
  taken?: ImageEvent
  /** The first set with depth that is newer than all before the trigger. */
  set?: ImageSet
  /** The stream broke after the trigger. */
  broken?: VisionError
  /** A set that came before the answer to the trigger gives way to a later one, unless it was announced. */
  isWary: boolean
}

/** Whether the set is the one whose pictures the device announced. */
export const isAnnounced = ({ set, taken }: Awaited): boolean =>
  set !== undefined && taken !== undefined && set.timestamp <= taken.timestamp + sameTime

/** Reads the sets and events of a device as they come, and keeps those that belong to the trigger under way. */
export class SetWatch {
  /** Sets with depth that came while no trigger of ours was under way. */
  unasked = 0
  /** When the present connection opened, milliseconds of the monotonic clock. */
  openedAt = 0
  private readonly sets: ImageLink<ImageSet>
  private readonly events: ImageLink<ImageEvent> | undefined
  private readonly reading: Promise<void>[]
  /** Device time of the newest set with depth, nanoseconds; 0 before the first. */
  newest = 0n
  private connection = 0
  private awaited: Awaited | undefined
  private changed: () => void = () => undefined
  private failure: VisionError | undefined

  /** @param withEvents whether the device's events are read too */
  constructor(options: ImageStreamOptions, withEvents: boolean) {
    const onState: ImageStreamOptions['onState'] = (state) => {
      if (state.open) this.openedAt = performance.now()
      else this.broke(state.error)
    }
    this.sets = openImages({ ...options, newestOnly: false, onState })
    const ofEvents: ImageStreamOptions['onState'] = (state) => {
      // Older firmware has none, and will have none at the next attempt.
      if (!state.open && state.error.code === 'NOT_FOUND') void this.events?.close()
    }
    this.events = withEvents ? openImageEvents({ ...options, onState: ofEvents }) : undefined
    this.reading = [this.readSets(), this.readEvents()]
  }

  get isOpen(): boolean {
    return this.sets.isOpen
  }

  /** Resolves when the sets stream, and events too where the device has them. @throws VisionError */
  async opened(): Promise<void> {
    if (this.failure && !this.sets.isOpen) throw this.failure
    // Older firmware has no events; then the set itself tells that its pictures were taken.
    await Promise.all([this.sets.opened(), this.events?.opened().catch(() => undefined)])
  }

  /** From now on, what arrives belongs to the trigger that follows. */
  begin(): Awaited {
    this.unasked = 0
    this.awaited = { isWary: true }
    return this.awaited
  }

  /** Resolves at the next change of what `begin` returned. */
  change(): Promise<void> {
    return new Promise((resolve) => (this.changed = resolve))
  }

  end(): void {
    this.awaited = undefined
  }

  async close(): Promise<void> {
    await Promise.all([this.sets.close(), this.events?.close()])
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
    // The pictures that were announced are later ones: this set was under way before.
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
        // The event of a set that was here before the trigger is late; that of its own set may be too.
        const since = (awaited?.set?.timestamp ?? this.newest + 2n * sameTime) - sameTime
        if (!awaited || awaited.taken || event.timestamp < since) continue
        if (awaited.set && awaited.set.timestamp < event.timestamp - sameTime) delete awaited.set
        awaited.taken = event
        this.changed()
      }
    } catch {
      // Without events, the set itself tells.
    }
  }

  private broke(error: VisionError): void {
    this.failure = error
    if (!this.awaited) return
    this.awaited.broken ??= error
    this.changed()
  }
}
