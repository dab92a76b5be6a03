import type { PlcCell } from '../../lib/plc/handshake/cell'
import type { DurationSummary } from '../../lib/plc/handshake/figures'
import type { PortFigures } from '../../lib/plc/handshake/ports'

/** How long a handshake takes, milliseconds. */
export interface HandshakeTimes {
  /** From the trigger to the message to the flow. */
  reactions?: DurationSummary
  /** From the message to the flow to the answer. */
  cycles?: DurationSummary
  /** Where the PLC is polled. A pulse under `shortestPulse` may be missed. */
  poll?: NonNullable<PortFigures['poll']> & { shortestPulse?: number }
}

/** Milliseconds for which times are good enough for messages: each summary sorts a thousand numbers. */
const fresh = 1000

const known = new WeakMap<PlcCell, { at: number; times: HandshakeTimes }>()

/** The times of a cell for its messages, at most a second old. */
export function timesOf(cell: PlcCell | undefined): HandshakeTimes {
  if (!cell) return {}
  const before = known.get(cell)
  const now = performance.now()
  if (before && now < before.at + fresh) return before.times
  const times = timesNow(cell)
  known.set(cell, { at: now, times })
  return times
}

export function timesNow({ figures, port }: PlcCell): HandshakeTimes {
  const reactions = figures.reactions.summary
  const cycles = figures.cycles.summary
  const poll = port?.figures.poll
  const longest = poll?.longest
  const seen = longest === undefined ? {} : { shortestPulse: Math.ceil(longest) }
  return {
    ...(reactions && { reactions }),
    ...(cycles && { cycles }),
    ...(poll && { poll: { ...poll, ...seen } }),
  }
}
