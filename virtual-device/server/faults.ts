import type { Device } from '../device/device'
import { seededRandom } from '../random'

type Reception = 'handle' | 'reset' | 'starting' | { retryAfter: number }
interface Departure {
  reset: boolean
  /** Delay of the answer, milliseconds. */
  delay: number
}

/** The effects of the scenario on requests and answers of any kind. */
export class Faults {
  private readonly random: () => number
  /** Requests still allowed by the rate limit. */
  private allowance = 0
  private countedAt = -Infinity

  constructor(private readonly device: Device) {
    this.random = seededRandom(device.options.seed)
  }

  receive(): Reception {
    const { offline, drop_connections, rate_limit } = this.device.scenario
    const phase = this.device.phase
    if (offline || phase === 'gone' || this.happens(drop_connections)) return 'reset'
    if (phase === 'front') return 'starting'
    return rate_limit > 0 ? this.counted(rate_limit) : 'handle'
  }

  leave(): Departure {
    const { offline, drop_answers, latency_ms, latency_jitter_ms } = this.device.scenario
    const delay = latency_jitter_ms > 0 ? latency_ms + latency_jitter_ms * this.random() : latency_ms
    return { reset: offline || this.happens(drop_answers), delay }
  }

  private happens(share: number): boolean {
    return share > 0 && this.random() < share
  }

  /** @param limit requests per second, which may all arrive at once */
  private counted(limit: number): Reception {
    const now = this.device.clock.now()
    const most = Math.max(1, limit)
    this.allowance = Math.min(most, this.allowance + (now - this.countedAt) * limit)
    this.countedAt = now
    if (this.allowance < 1) return { retryAfter: Math.max(1, Math.ceil((1 - this.allowance) / limit)) }
    this.allowance -= 1
    return 'handle'
  }
}

/** The faults do not affect the scenario itself, which is outside the API. */
export const ofApi = (url: string): boolean => url.startsWith('/api')
