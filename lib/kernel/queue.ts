/**
 * An ordered, bounded queue of async work that can be dropped: nothing accepted before a drop acts after it.
 *
 * In: async functions, a drop with a reason. Out: results in the order of acceptance; the reason for each one that was
 * dropped, waiting or started; BUSY if the queue is full. For messages of a node, motions of a robot, requests to a
 * controller.
 */
import { check } from './scope'

export class BusyError extends Error {
  override readonly name = 'BusyError'
  readonly code = 'BUSY'
  constructor(waiting: number) {
    super(`The queue is full, ${waiting} are waiting. Wait until some of them are done.`)
  }
}

export interface QueueOptions {
  /** Concurrency. @default 1 */
  atOnce?: number
  /** Length of the waiting line. @default Infinity */
  room?: number
  /** Makes the error for work that finds the queue full. @default a BusyError */
  full?: (waiting: number) => Error
  /** Called after work has arrived or left. */
  moved?: (open: number, waiting: number) => void
}

/** Passed to the work; ends with a drop. */
export interface Turn {
  /** Aborted with the reason of the drop. */
  readonly signal: AbortSignal
  /** Call it after each `await`, before something moves, opens, writes or deletes. @throws the reason of the drop */
  readonly check: () => void
}

interface QueueEntry {
  readonly work: (turn: Turn) => unknown
  readonly epoch: Epoch
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  /** Settles its promise; present when the work has ended. */
  settle?: () => void
}

/** The period between two drops. */
class Epoch implements Turn {
  readonly controller = new AbortController()
  get signal() {
    return this.controller.signal
  }
  readonly check = () => check(this.signal)
}

export class Queue {
  readonly #atOnce: number
  readonly #room: number
  readonly #full: (waiting: number) => Error
  readonly #moved: ((open: number, waiting: number) => void) | undefined
  readonly #open: QueueEntry[] = []
  #waiting: QueueEntry[] = []
  #whenIdle: (() => void)[] = []
  #epoch = new Epoch()
  #isClosed = false
  #lettingGo = false

  constructor({ atOnce = 1, room = Infinity, full, moved }: QueueOptions = {}) {
    this.#atOnce = atOnce
    this.#room = room
    this.#full = full ?? ((waiting) => new BusyError(waiting))
    this.#moved = moved
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get open(): number {
    return this.#open.length
  }

  /** The current turn, for work accepted now that acts outside the queue: it ends with the next drop. */
  get turn(): Turn {
    return this.#epoch
  }

  /**
   * Starts the work when it is its turn. Resolves in the order of acceptance, before the next work starts.
   * @throws what the work throws; BUSY if the queue is full; the reason if it was dropped, even if the work did not
   * notice
   */
  add<Result>(work: (turn: Turn) => Result | Promise<Result>): Promise<Result> {
    const epoch = this.#epoch
    const isFree = this.#open.length < this.#atOnce && this.#waiting.length === 0 && !this.#lettingGo
    return new Promise<Result>((resolve, reject) => {
      epoch.check()
      if (!isFree && this.#waiting.length >= this.#room) throw this.#full(this.#waiting.length)
      const place = { work, epoch, resolve, reject }
      if (isFree) this.#begin(place)
      else this.#waiting.push(place)
      this.#notify()
    })
  }

  /**
   * Ends everything accepted so far: waiting work fails with the reason at once, running work is aborted and fails with
   * it when it has ended. Work accepted from now on waits for that end. @param reason with a stable code, ABORTED
   * without one @returns the number dropped
   */
  drop(reason?: unknown): number {
    const { controller } = this.#epoch
    const dropped = this.#waiting
    if (!this.#isClosed) this.#epoch = new Epoch()
    this.#waiting = []
    controller.abort(reason)
    for (const { epoch, reject } of dropped) rejectWith(epoch, reject)
    if (dropped.length > 0) this.#notify()
    return dropped.length + this.#open.length
  }

  idle(): Promise<void> {
    return this.#open.length === 0 && this.#waiting.length === 0
      ? Promise.resolve()
      : new Promise((resolve) => void this.#whenIdle.push(resolve))
  }

  async close(reason?: unknown): Promise<void> {
    this.#isClosed = true
    this.drop(reason)
    await this.idle()
  }

  #begin(place: QueueEntry): void {
    this.#open.push(place)
    const { work, epoch, resolve, reject } = place
    const working = (async () => await work(epoch))()
    working.then(
      (value) => {
        place.settle = () => (epoch.signal.aborted ? rejectWith(epoch, reject) : resolve(value as never))
        this.#settleEnded()
      },
      (error: unknown) => {
        place.settle = () => reject(error)
        this.#settleEnded()
      },
    )
  }

  /** Settles ended work in order; its caller continues before the next work starts. */
  #settleEnded(): void {
    let left = false
    for (let first = this.#open[0]; first?.settle; first = this.#open[0]) {
      this.#open.shift()
      first.settle()
      left = true
    }
    if (!left || this.#lettingGo) return
    this.#lettingGo = true
    queueMicrotask(() => {
      this.#lettingGo = false
      while (this.#open.length < this.#atOnce) {
        const next = this.#waiting.shift()
        if (!next) break
        this.#begin(next)
      }
      this.#notify()
      if (this.#open.length > 0) return
      for (const resolve of this.#whenIdle.splice(0)) resolve()
    })
  }

  #notify(): void {
    this.#moved?.(this.#open.length, this.#waiting.length)
  }
}

function rejectWith({ check: isOver }: Epoch, reject: (error: unknown) => void): void {
  try {
    isOver()
  } catch (error) {
    reject(error)
  }
}
