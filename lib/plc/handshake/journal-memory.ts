import type { PlcSays } from '../rows'

/** One line of the journal. */
export type JournalEntry =
  /** A request waits for the cycle before it, or is answered without one: nothing was sent. */
  | { kind: 'noted'; token: string; request: number }
  /** The message leaves for the flow now. */
  | {
      kind: 'sent'
      token: string
      request: number
      acquisitionId: number
      /** Epoch milliseconds. */ at?: number
    }
  /** The message of a trigger by hand leaves for the flow now: the PLC is owed nothing. */
  | { kind: 'hand'; token: string; at?: number }
  /** The PLC is told so now. */
  | { kind: 'ended'; token: string; code: number; counter: number }
  /** The flow has ended it too: nothing of it is under way. */
  | { kind: 'settled'; token: string }
  /** The PLC has taken the answer, or had the time for it. */
  | { kind: 'taken'; token: string }
  /** The PLC wrote that into memory that is the cell's own; its life signals are left out. */
  | { kind: 'plc'; says: PlcSays }
  /** The PLC has prepared that job for the cycles that follow, or released it. */
  | { kind: 'prepared'; job?: number }

/** All that a restart needs to know. */
export interface JournalMemory {
  counter: number
  acquisitionId: number
  /** The last request, until the PLC has taken its answer. */
  owed?: { token: string; request: number; sent: boolean }
  /** The last cycle, until the flow has ended it. */
  unsettled?: { token: string; request: number; /** When it began, epoch milliseconds. */ at?: number }
  /** What stood in memory that is the cell's own: rows that the PLC has written. */
  plc?: PlcSays
  /** A job was prepared, and not released. */
  prepared?: number
}

export const nothingKnown: JournalMemory = { counter: 0, acquisitionId: 0 }

/** The memory after one more line. A line about another cycle than the last one changes nothing of it. */
export function remembered(memory: JournalMemory, entry: JournalEntry): JournalMemory {
  const { owed, unsettled, ...numbers } = memory
  switch (entry.kind) {
    case 'noted':
      return { ...memory, owed: { token: entry.token, request: entry.request, sent: false } }
    case 'sent': {
      const { token, request, acquisitionId, at } = entry
      const unsettled = { token, request, ...(at !== undefined && { at }) }
      return { ...memory, acquisitionId, owed: { token, request, sent: true }, unsettled }
    }
    case 'hand':
      return {
        ...memory,
        unsettled: { token: entry.token, request: 0, ...(entry.at !== undefined && { at: entry.at }) },
      }
    case 'ended':
      return { ...memory, counter: entry.counter }
    case 'settled':
      return unsettled?.token === entry.token ? { ...numbers, ...(owed && { owed }) } : memory
    case 'taken':
      return owed?.token === entry.token ? { ...numbers, ...(unsettled && { unsettled }) } : memory
    case 'plc':
      return { ...memory, plc: { ...memory.plc, ...entry.says } }
    case 'prepared': {
      const { prepared: _, ...others } = memory
      return { ...others, ...(entry.job !== undefined && { prepared: entry.job }) }
    }
  }
}
