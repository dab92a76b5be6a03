import type { CellCounts, EndedCycle } from '../../lib/plc/handshake/cell'
import { defaultCodes } from '../../lib/plc/codes'
import type { Counter, Histogram } from '../../lib/metrics'
import type { Group } from './registry'

/** Codes with a series of their own; the others are counted as `other`. */
const mostCodes = 24

/** What is known of a handshake when it is asked for. */
interface HandshakeReading {
  link: 'up' | 'down' | 'unused'
  counts: Readonly<CellCounts>
}

/** What is counted and known of a handshake. */
export class HandshakeMetrics {
  private readonly reactions: Histogram
  private readonly cycles: Histogram
  private readonly codes = new Set<number>()

  constructor(
    private readonly group: Group,
    reading: () => HandshakeReading,
  ) {
    group.gauge('vision_series_limit_reached', '', 1, () => [{ value: Number(group.isFull) }])
    group.gauge('vision_handshake_up', '', 1, () => {
      const { link } = reading()
      return link === 'unused' ? [] : [{ value: Number(link === 'up') }]
    })
    const count = (name: 'triggers' | 'missed' | 'dropped', read: keyof CellCounts) =>
      group.gauge(`vision_handshake_${name}_total`, '', 1, () => [{ value: reading().counts[read] }])
    count('triggers', 'accepted')
    count('missed', 'missed')
    count('dropped', 'dropped')
    // From 0, so that the first cycle that ends so is seen.
    for (const code of Object.values(defaultCodes)) this.counterOf(code)
    this.counterOf(undefined)
    this.reactions = group.histogram('vision_handshake_reaction_seconds')
    this.cycles = group.histogram('vision_handshake_cycle_seconds')
  }

  /** @param milliseconds from the trigger to the message to the flow */
  reacted(milliseconds: number): void {
    this.reactions.observe(milliseconds / 1000)
  }

  /** The PLC has the answer to a trigger. */
  ended({ code, milliseconds, hasBegun }: EndedCycle): void {
    this.counterOf(code).value++
    if (hasBegun) this.cycles.observe(milliseconds / 1000)
  }

  private counterOf(code: number | undefined): Counter {
    const isKnown = code !== undefined && (this.codes.has(code) || this.codes.size < mostCodes)
    if (isKnown) this.codes.add(code)
    return this.group.counter('vision_handshake_cycles_total', { code: isKnown ? String(code) : 'other' })
  }
}
