import { type Claim, claimTopic } from '../messages'
import type { Clock, Post } from './effects'

/** Seconds between two renewals, and after which a claim that is not renewed is dead. */
export const renewal = 10
export const expiry = 30
/** Seconds after which a centre that acts, but does not hear its own renewals, has no broker. */
const silence = 15
/** Seconds between two questions of a centre that does not hear itself, and after one for the answers of others. */
const asking = 2
const grace = 1

/**
 * `asking`: does not know yet whether another one acts, or whether the broker is there. `acting`: may send commands.
 * `reading`: another one acts.
 */
export type Role = 'asking' | 'acting' | 'reading'

interface ClaimOptions {
  root: string
  centre: string
  boot: string
  clock: Clock
}

/** Decides which centre acts: the first one keeps acting while its claim is alive. */
export class ClaimKeeper {
  #role: Role = 'asking'
  #since: number | undefined
  #n = 0
  /** Steady milliseconds. */
  #askedAt = -Infinity
  #echoedAt: number | undefined
  #renewedAt = -Infinity
  /** When a renewal of its own came back, or it began to act. */
  #provenAt = -Infinity
  #other: { claim: Claim; until: number } | undefined

  constructor(private readonly options: ClaimOptions) {}

  get role(): Role {
    return this.#role
  }

  /** The centre that acts, if it is another one. */
  get actingCentre(): string | undefined {
    return this.#role === 'reading' ? this.#other?.claim.centre : undefined
  }

  /** @param left seconds until the broker drops the claim */
  receive(claim: Claim, left: number = expiry): Post[] {
    const { centre, boot, clock } = this.options
    const now = clock.steady()
    if (claim.centre === centre && claim.boot === boot) {
      this.#provenAt = now
      if (claim.asks) this.#echoedAt ??= now
      return []
    }
    if (claim.asks) return this.#role === 'acting' ? this.#renew(now) : []
    const until = now + 1000 * Math.min(expiry, Math.max(0, left))
    const other = this.#other && now < this.#other.until ? this.#other.claim : undefined
    // The weaker of two others will hear the stronger one.
    if (other && !isSame(other, claim) && precedes(other, claim)) return []
    this.#other = { claim, until }
    if (this.#role === 'acting' && precedes(this.#own(), claim)) return this.#renew(now)
    this.#role = 'reading'
    return []
  }

  /** To be called about once a second. */
  tick(): Post[] {
    const now = this.options.clock.steady()
    if (this.#other && now >= this.#other.until) this.#other = undefined
    switch (this.#role) {
      case 'acting':
        if (now - this.#provenAt > 1000 * silence) return this.#askAgain(now)
        return now - this.#renewedAt >= 1000 * renewal ? this.#renew(now) : []
      case 'reading':
        return this.#other ? [] : this.#askAgain(now)
      case 'asking':
        if (this.#echoedAt === undefined || now - this.#echoedAt < 1000 * grace) return this.#ask(now)
        this.#role = 'acting'
        this.#provenAt = now
        this.#since ??= this.options.clock.wall()
        return this.#renew(now)
    }
  }

  /** It may be that the broker is away: asks before it acts. */
  #askAgain(now: number): Post[] {
    this.#role = 'asking'
    this.#echoedAt = undefined
    this.#askedAt = -Infinity
    return this.#ask(now)
  }

  #ask(now: number): Post[] {
    if (this.#echoedAt !== undefined || now - this.#askedAt < 1000 * asking) return []
    this.#askedAt = now
    const question = { ...this.#own(), asks: true }
    return [
      {
        topic: claimTopic(this.options.root),
        payload: question,
        retain: false,
        messageExpiryInterval: asking,
      },
    ]
  }

  #renew(now: number): Post[] {
    this.#renewedAt = now
    this.#n++
    return [
      {
        topic: claimTopic(this.options.root),
        payload: this.#own(),
        retain: true,
        messageExpiryInterval: expiry,
      },
    ]
  }

  #own(): Claim {
    const { centre, boot, clock } = this.options
    return { v: 1, centre, boot, since: this.#since ?? clock.wall(), n: this.#n }
  }
}

const isSame = (one: Claim, other: Claim) => one.centre === other.centre && one.boot === other.boot

/** Whether the first of two claims wins. */
function precedes(one: Claim, other: Claim): boolean {
  if (one.since !== other.since) return one.since < other.since
  if (one.centre !== other.centre) return one.centre < other.centre
  return one.boot < other.boot
}
