/**
 * Pending replies: each question has one token, one deadline, and accepts one reply.
 *
 * In: questions; replies with their token, from anywhere, at any time; withdrawals. Out: the reply as a promise, which
 * rejects when the deadline passes or the question is withdrawn; a verdict on each reply. Use it wherever an answer
 * does not return from the call itself: confirmations, PLC cycles, robot dialogues, remotely started flows, fleet
 * requests.
 */
import { randomUUID } from 'node:crypto'
import { startTimeout } from './timers'
import { awaitedLater, reasonOf } from './scope'

/** Only an accepted reply has an effect. */
export type Verdict =
  | 'accepted'
  /** The question is younger than its minimum age, and stays open. */
  | 'too-early'
  /** Another reply was accepted before. */
  | 'duplicate'
  /** The deadline had passed. */
  | 'late'
  /** The question was withdrawn before. */
  | 'withdrawn'
  /** No such question here: it is for another node, or from before a restart. */
  | 'foreign'
  /** It has no token. */
  | 'missing'

/** A question was not answered in time. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
  readonly code = 'TIMEOUT'
  constructor(milliseconds: number) {
    super(`No answer came within ${milliseconds / 1000} s. Ask again if the answer is still wanted.`)
  }
}

export interface QuestionOptions {
  /** Prescribed by the other side, such as a sequence number. @default a random one that cannot be guessed */
  token?: string
  /** Milliseconds to the deadline. @default Infinity */
  within?: number
  /** Milliseconds in which no reply is accepted, because nobody can have read the question yet. @default 0 */
  minimumAge?: number
  /** Withdraws the question with the reason of the abort. */
  signal?: AbortSignal
  unanswered?: (milliseconds: number) => Error
}

export interface PendingReply<Reply> {
  readonly token: string
  /** @throws the error of `unanswered`; the reason of the withdrawal, or ABORTED */
  readonly reply: Promise<Reply>
  /** From now on replies are refused. @param reason with a stable code, ABORTED without one */
  readonly withdraw: (reason?: unknown) => void
}

export interface RepliesOptions {
  /** Closed questions that are remembered for the verdict on later replies. @default 200 */
  remembered?: number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Verdict on later replies. */
type Closed = Extract<Verdict, 'duplicate' | 'late' | 'withdrawn'>

interface Open<Reply> {
  readonly since: number
  readonly minimumAge: number
  readonly accept: (reply: Reply) => void
  readonly withdraw: (reason?: unknown) => void
}

export class Replies<Reply> {
  readonly #remembered: number
  readonly #now: () => number
  readonly #open = new Map<string, Open<Reply>>()
  readonly #closed = new Map<string, Closed>() // in the order of closing
  #over: { reason: unknown } | undefined

  constructor({ remembered = 200, now = () => performance.now() }: RepliesOptions = {}) {
    this.#remembered = remembered
    this.#now = now
  }

  /** Tokens of pending questions, the oldest first. */
  get open(): string[] {
    return [...this.#open.keys()]
  }

  /**
   * Opens a question; the caller sends the token. After the reply, check again what it permits: the state may have
   * changed in the same moment. @throws RangeError if a question with this token is open
   */
  ask({
    token = randomUUID(),
    within = Infinity,
    minimumAge = 0,
    signal,
    unanswered = (milliseconds) => new UnansweredError(milliseconds),
  }: QuestionOptions = {}): PendingReply<Reply> {
    if (this.#open.has(token)) throw new RangeError(`A question with the token ${token} is open already.`)
    let close: (as: Closed, settle: () => void) => void = () => undefined
    let withdraw: (reason?: unknown) => void = () => undefined
    const reply = new Promise<Reply>((resolve, reject) => {
      const aborted = () => withdraw(signal?.reason)
      const timer = Number.isFinite(within)
        ? startTimeout(() => close('late', () => reject(unanswered(within))), within)
        : undefined
      close = (as, settle) => {
        if (!this.#open.delete(token)) return
        clearTimeout(timer)
        signal?.removeEventListener('abort', aborted)
        this.#remember(token, as)
        settle()
      }
      withdraw = (reason) => close('withdrawn', () => reject(reasonOf({ reason })))
      const accept = (given: Reply) => close('duplicate', () => resolve(given))
      this.#closed.delete(token)
      this.#open.set(token, { since: this.#now(), minimumAge, accept, withdraw })
      signal?.addEventListener('abort', aborted, { once: true })
      if (this.#over) withdraw(this.#over.reason)
      else if (signal?.aborted) aborted()
    })
    return { token, reply: awaitedLater(reply), withdraw: (reason) => withdraw(reason) }
  }

  /** @param token as received, of any type */
  reply(token: unknown, reply: Reply): Verdict {
    const verdict = this.verdictOn(token)
    if (verdict === 'accepted') this.#open.get(String(token))?.accept(reply)
    return verdict
  }

  /** The verdict that a reply would get now, such as for a page that shows it before sending. */
  verdictOn(token: unknown): Verdict {
    if (token === undefined || token === null || token === '') return 'missing'
    const given = typeof token === 'number' ? String(token) : token
    if (typeof given !== 'string') return 'foreign'
    const open = this.#open.get(given)
    if (!open) return this.#closed.get(given) ?? 'foreign'
    return this.#now() - open.since < open.minimumAge ? 'too-early' : 'accepted'
  }

  /** Withdraws all questions. @param reason with a stable code, ABORTED without one @returns the number of open ones */
  drop(reason?: unknown): number {
    const open = [...this.#open.values()]
    for (const { withdraw } of open) withdraw(reason)
    return open.length
  }

  /** Withdraws all questions, and each one asked from now on. */
  close(reason?: unknown): void {
    this.#over ??= { reason }
    this.drop(reason)
  }

  #remember(token: string, as: Closed): void {
    this.#closed.set(token, as)
    for (const oldest of this.#closed.keys()) {
      if (this.#closed.size <= this.#remembered) return
      this.#closed.delete(oldest)
    }
  }
}
