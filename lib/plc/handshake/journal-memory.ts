/** One line of the journal. */
export type JournalEntry =
  /** A request waits for the cycle before it; nothing was sent. */
  | { kind: 'accepted'; token: string; request: number }
  /** The message leaves for the flow now. */
  | { kind: 'sent'; token: string; request: number; acquisitionId: number }
  /** The PLC is told so now. */
  | { kind: 'ended'; token: string; code: number; counter: number }
  /** The flow has ended it too: nothing of it is under way. */
  | { kind: 'settled'; token: string }
  /** The PLC has taken the answer, or had the time for it. */
  | { kind: 'taken'; token: string }

/** All that a restart needs to know. */
export interface JournalMemory {
  counter: number
  acquisitionId: number
  last?: {
    token: string
    request: number
    sent: boolean
    ended: boolean
    settled: boolean
    taken: boolean
  }
}

export const nothingKnown: JournalMemory = { counter: 0, acquisitionId: 0 }

/** The memory after one more line. A line about another cycle than the last one changes nothing of it. */
export function remembered(memory: JournalMemory, entry: JournalEntry): JournalMemory {
  const { kind, token } = entry
  if (kind === 'accepted') {
    // The cycle under way is what a restart has to answer for; what waits behind it was not sent.
    const { last } = memory
    if (last?.sent && !last.settled) return memory
    return { ...memory, last: opened(token, entry.request, false) }
  }
  if (kind === 'sent')
    return { ...memory, acquisitionId: entry.acquisitionId, last: opened(token, entry.request, true) }
  const counted = kind === 'ended' ? { ...memory, counter: entry.counter } : memory
  return counted.last?.token === token ? { ...counted, last: { ...counted.last, [kind]: true } } : counted
}

const opened = (token: string, request: number, sent: boolean) => ({
  token,
  request,
  sent,
  ended: false,
  settled: false,
  taken: false,
})
