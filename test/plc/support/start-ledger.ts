import type { Family } from '../../../lib/plc/families'
import type { RunningBlock } from './structured-text'

/** What the user of the block has seen, and what the cell has done. */
export interface Ledger {
  /** Starts in their order: the number that each carries. */
  starts: number[]
  /** Numbers that the cell has executed. */
  executed: number[]
  ends: { id: number; how: 'done' | 'error' | 'timeout' | 'missed'; code: number }[]
  /** Whatever must never be seen. */
  faults: string[]
}

/** Writes down what the user of the generated block sees, and whatever must never be seen. */
export function watchStarts(family: Family, plc: () => RunningBlock) {
  const ledger: Ledger = { starts: [], executed: [], ends: [], faults: [] }
  let current: { id: number; ended: boolean } | undefined

  return {
    ledger,
    /** A rising edge, with a number of its own as argument 1. It is seen in the next call. */
    start: () => {
      const id = ledger.starts.length + 1
      ledger.starts.push(id)
      const { vars } = plc()
      vars.argument1 = id
      vars.start = true
      current = { id, ended: false }
    },
    isOpen: () => current !== undefined && !current.ended,
    mustHaveEnded: () => {
      if (current && !current.ended) ledger.faults.push(`${current.id} never ended`)
    },
    /** The PLC has forgotten it. */
    forget: () => (current = undefined),
    /** After each call. */
    look: () => {
      if (!current) return
      const { vars } = plc()
      const { busy, done, error, timedOut, result, code } = vars
      const isMissed = family.refusal === 'missed' && vars.missed === true
      const shown = Number((result as Record<string, unknown>).value_payload_id)
      const { id } = current
      if (shown !== 0 && shown !== id) ledger.faults.push(`${id} shows the result of ${shown}`)
      if (done === true && shown !== id) ledger.faults.push(`${id} is done with the result of ${shown}`)
      if (Number(busy) + Number(done) + Number(error) !== 1)
        ledger.faults.push(`${id} is ${String([busy, done, error])}`)
      if (current.ended && busy === true) ledger.faults.push(`${id} is busy again`)
      if (current.ended || busy === true) return
      current.ended = true
      const how = done === true ? 'done' : timedOut === true ? 'timeout' : isMissed ? 'missed' : 'error'
      if ((how === 'done') !== (code === 0)) ledger.faults.push(`${id}: ${how} with code ${String(code)}`)
      ledger.ends.push({ id, how, code: Number(code) })
    },
    /** @returns all faults: what is done was executed, and nothing was executed twice */
    settled: (executed: readonly number[] = ledger.executed) => {
      const faults = [...ledger.faults]
      const seen = new Set<number>()
      for (const id of executed) {
        if (seen.has(id)) faults.push(`${id} was executed twice`)
        if (!ledger.starts.includes(id)) faults.push(`${id} was executed and never asked for`)
        seen.add(id)
      }
      for (const { id, how } of ledger.ends)
        if (how === 'done' && !seen.has(id)) faults.push(`${id} is done and was not executed`)
      return faults
    },
  }
}
