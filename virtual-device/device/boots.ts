import type { Clock } from '../clock'
import type { Scenario } from '../scenario'
import { bootPhase, type BootPhase } from './boot-phase'

/** The time of the last boot, and its progress. */
export class Boots {
  private readonly startedAt: number
  private rebootedAt: number | undefined
  private count = 1

  constructor(
    private readonly clock: Clock,
    private readonly scenario: () => Readonly<Scenario>,
  ) {
    this.startedAt = clock.now()
  }

  again(): void {
    this.rebootedAt = this.clock.now()
    this.count += 1
  }

  /** Switching on takes no time here; a reboot does. */
  get phase(): BootPhase {
    if (this.rebootedAt === undefined) return 'ready'
    return bootPhase(this.clock.now() - this.rebootedAt, this.scenario())
  }

  /** Seconds since the last boot. */
  get uptime(): number {
    return this.clock.now() - (this.rebootedAt ?? this.startedAt)
  }

  /** Returns a function that tells whether there was a reboot since now. */
  watch(): () => boolean {
    const { count } = this
    return () => this.count !== count
  }
}
