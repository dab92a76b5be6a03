/**
 * Pending replies: each question has one token, one deadline, and accepts one reply.
 *
 * In: questions; replies with the token that they carry, from anybody, at any time; a withdrawal of one or of all. Out: the
 * reply as a promise, which rejects when the deadline passes or the question is withdrawn; and for each reply a verdict, which
 * tells why it was not accepted.
 * Use it wherever an answer comes on another way than the question went: confirmations of a person, cycles of a PLC,
 * dialogues with a robot, flows started from afar, requests of a centre.
 */
import { randomUUID } from 'node:crypto'
import { startTimeout } from './timers'
import { awaitedLater, reasonOf } from './scope'

/** What became of a reply. Only an accepted one has an effect. */
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
  /** Nobody here asked this: it answers another node, or a question from before a restart. */
  | 'foreign'
  /** It has no token. */
  | 'missing'

/** The error of a question that nobody answered in time. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
  readonly code = 'TIMEOUT'
  constructor(milliseconds: number) {
    super(`No answer came within ${milliseconds / 1000} s. Ask again if the answer is still wanted.`)
  }
}

export interface QuestionOptions {
  /** A token that the other side prescribes, such as a sequence number. @default a random one that nobody can guess */
  token?: string
  /** Milliseconds until it is too late. @default Infinity */
  within?: number
  /** Milliseconds in which no reply is accepted: nobody has read the question yet. @default 0 */
  minimumAge?: number
  /** Withdraws the question with the reason of the abort. */
  signal?: AbortSignal
  /** Makes the error for a deadline that has passed. @default an UnansweredError */
  unanswered?: (milliseconds: number) => Error
}

/** A question that was asked. */
export interface PendingReply<Reply> {
  readonly token: string
  /** @throws what `unanswered` made; the reason of the withdrawal, or ABORTED */
  readonly reply: Promise<Reply>
  /** From now on replies are refused. @param reason with a stable code; without one its code is ABORTED */
  readonly withdraw: (reason?: unknown) => void
}

export interface RepliesOptions {
  /** How many closed questions are remembered, so that what replies to them is told why it is not accepted. @default 200 */
  remembered?: number
  /** Milliseconds of a clock that never steps back. */
  now?: () => number
}

/** Why a question no longer accepts replies: the verdict on those that still come. */
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
  /** In the order in which they were closed. */
  readonly #closed = new Map<string, Closed>()
  #over: { reason: unknown } | undefined

  constructor({ remembered = 200, now = () => performance.now() }: RepliesOptions = {}) {
    this.#remembered = remembered
    this.#now = now
  }

  /** The tokens of the questions that wait for a reply, the oldest first. */
  get open(): string[] {
    return [...this.#open.keys()]
  }

  /**
   * Asks; the caller sends the token. After the reply has come, check again what the answer permits: it may have changed in the
   * same moment.
   * @throws RangeError if a question with this token is open
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

  /** @param token as it came, of any type; the reply counts only if it is that of an open question */
  reply(token: unknown, reply: Reply): Verdict {
    const verdict = this.verdictOn(token)
    if (verdict === 'accepted') this.#open.get(String(token))?.accept(reply)
    return verdict
  }

  /** What would become of a reply now, such as for a page that tells a person before it sends one. */
  verdictOn(token: unknown): Verdict {
    if (token === undefined || token === null || token === '') return 'missing'
    const given = typeof token === 'number' ? String(token) : token
    if (typeof given !== 'string') return 'foreign'
    const open = this.#open.get(given)
    if (!open) return this.#closed.get(given) ?? 'foreign'
    return this.#now() - open.since < open.minimumAge ? 'too-early' : 'accepted'
  }

  /** Withdraws all questions. @param reason with a stable code; without one its code is ABORTED @returns how many were open */
  drop(reason?: unknown): number {
    const open = [...this.#open.values()]
    for (const { withdraw } of open) withdraw(reason)
    return open.length
  }

  /** Withdraws all questions, and each that is asked from now on. */
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
