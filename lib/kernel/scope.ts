/**
 * Structured concurrency: a scope owns the work that was started in it, so that every promise has an owner.
 *
 * In: async functions, an abort with a reason. Out: the signal and the check that work needs; a promise that resolves
 * when nothing is left; the first failure of work that is not awaited. Replaces `void promise`, sets of running work,
 * and an AbortController with a list of what to end.
 */

export class AbortedError extends Error {
  override readonly name = 'AbortedError'
  readonly code = 'ABORTED'
  constructor(cause?: unknown) {
    super('The work was ended before it was done. Begin it again if it is still wanted.', { cause })
  }
}

/** The reason of an abort as an error with a stable code: the reason itself, or ABORTED. */
export function reasonOf({ reason }: Pick<AbortSignal, 'reason'>): Error {
  const custom = reason as unknown
  return custom instanceof Error && typeof (custom as { code?: unknown }).code === 'string'
    ? custom
    : new AbortedError(custom)
}

/** Call it after each `await` before something acts. @throws the reason of the abort */
export function check(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal)
}

/** The work's result; rejects as soon as the signal is aborted. The work itself continues until it notices. */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(reasonOf(signal))
    const end = () => signal.removeEventListener('abort', aborted)
    signal.addEventListener('abort', aborted, { once: true })
    work.then(resolve, reject)
    work.then(end, end)
    if (signal.aborted) aborted()
  })
}

/** Resolves when the work has ended; its failure is reported elsewhere. */
export const settled = async (work: Promise<unknown>): Promise<void> =>
  void (await Promise.allSettled([work]))

/** The work's result; undefined if it fails, where that means that there is no such value. */
export const orUndefined = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.then((result) => result, nothing)

/** The same promise, whose failure counts as handled even if it is never awaited. */
export function awaitedLater<Result>(work: Promise<Result>): Promise<Result> {
  work.then(nothing, nothing)
  return work
}

const nothing = () => undefined

export interface ScopeOptions {
  /** Its abort ends the scope. A parent scope also waits for it; a signal does not. */
  parent?: Scope | AbortSignal
  /** Called with the first failure of work that is not awaited. @default the failure aborts the scope */
  failed?: (error: unknown) => void
}

export class Scope {
  readonly #controller = new AbortController()
  readonly #failed: (error: unknown) => void
  readonly #work = new Set<Promise<unknown>>()
  readonly #children = new Set<Scope>()
  #leave: () => void = () => undefined
  #failure: { error: unknown } | undefined

  constructor({ parent, failed }: ScopeOptions = {}) {
    this.#failed = failed ?? ((error) => this.abort(error))
    if (parent === undefined) return
    const signal = parent instanceof Scope ? parent.signal : parent
    const aborted = () => this.abort(signal.reason)
    signal.addEventListener('abort', aborted, { once: true })
    if (parent instanceof Scope) parent.#children.add(this)
    this.#leave = () => {
      signal.removeEventListener('abort', aborted)
      if (parent instanceof Scope) parent.#children.delete(this)
    }
    if (signal.aborted) aborted()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isAborted(): boolean {
    return this.signal.aborted
  }

  /** Call it after each `await`, before something moves, opens, writes or deletes. @throws the reason of the abort */
  check(): void {
    check(this.signal)
  }

  /**
   * Runs work whose result the caller awaits. What it starts in its own scope ends before it does, and is aborted if it
   * fails.
   * @throws the reason, without starting, if the scope has been aborted; what the work throws
   */
  run<Result>(work: (scope: Scope) => Result | Promise<Result>): Promise<Result> {
    const running = this.#run(work)
    this.#work.add(running)
    const forget = () => this.#work.delete(running)
    running.then(forget, forget)
    return running
  }

  /** Starts work that is not awaited. Its failure becomes the scope's, unless it is the abort itself. */
  begin(work: (scope: Scope) => unknown): void {
    if (this.isAborted) return
    this.run(async (scope) => void (await work(scope))).catch((error: unknown) => {
      if (this.isAborted || this.#failure) return
      this.#failure = { error }
      this.#failed(error)
    })
  }

  /** A scope that ends with this one, or before. End it with `close`. */
  child(options: Omit<ScopeOptions, 'parent'> = {}): Scope {
    return new Scope({ ...options, parent: this })
  }

  /** Aborts the work and the child scopes. The first reason counts. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason)
  }

  /** Resolves when all work has ended, including child scopes. @throws the first failure of work that is not awaited */
  async ended(): Promise<void> {
    while (this.#works)
      await Promise.allSettled([...this.#work, ...[...this.#children].map((child) => child.ended())])
    if (this.#failure) throw this.#failure.error
  }

  async close(reason?: unknown): Promise<void> {
    this.abort(reason)
    await settled(this.ended())
    this.#leave()
  }

  get #works(): boolean {
    return this.#work.size > 0 || [...this.#children].some((child) => child.#works)
  }

  async #run<Result>(work: (scope: Scope) => Result | Promise<Result>): Promise<Result> {
    this.check()
    const inner = this.child()
    try {
      const result = await work(inner)
      await inner.ended()
      return result
    } catch (error) {
      const { error: first } = inner.#failure ?? { error }
      inner.abort(first)
      await settled(inner.ended())
      throw first
    } finally {
      inner.#leave()
    }
  }
}
