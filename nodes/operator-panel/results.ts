import type { CellData } from '../../lib/plc/rows'
import type { EndedCycle } from '../../lib/plc/handshake/cell'
import type { ManualTrigger } from '../../lib/plc/handshake/figures'
import { meaningOf } from '../plc/handshake-of'
import type { HandshakeSettings } from '../plc/deployed-handshake'
import { spoken } from '../shared/node-error'
import type { LastCycle } from './cell-state'
import type { ResultRow } from './tables'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-panel')

/** Cycles in the list. */
const most = 20

/** The last cycles of a cell, the newest first; those by hand too. */
export class Results {
  readonly rows: ResultRow[] = []
  /** The last one that the PLC has its answer to. */
  last: LastCycle | undefined

  /** @param data what the cycle brought, as the PLC got it */
  ended({ code, counter, milliseconds }: EndedCycle, data: CellData, reason: string, of: HandshakeSettings) {
    const isDone = code === of.codes.DONE
    const text = isDone
      ? foundText(data, of)
      : say('result-failed', { code, meaning: meaningOf(code, of.codes) })
    this.last = { code, reason, text }
    // A failed one does not count: the next one has its number.
    this.#add({ number: counter + (isDone ? 0 : 1), text, milliseconds })
  }

  byHand({ state, code = 0, duration, data }: ManualTrigger, of: HandshakeSettings) {
    const text =
      state === 'done'
        ? foundText(data ?? {}, of)
        : say('result-failed', { code, meaning: meaningOf(code, of.codes) })
    this.#add({ number: 0, text: say('result-by-hand', { text }), milliseconds: duration })
  }

  #add(row: Omit<ResultRow, 'at'>): void {
    this.rows.unshift({ at: Date.now(), ...row })
    this.rows.length = Math.min(this.rows.length, most)
  }
}

/** `done, 3 found, score 0.93`: as far as the PLC gets it. */
function foundText({ count, score }: CellData, { map }: HandshakeSettings): string {
  const has = (row: string) => map.slots.some((slot) => slot.row === row)
  const parts = [
    count !== undefined && (has('count') || has('pose')) ? say('result-found', { count }) : '',
    score !== undefined && has('score')
      ? say('result-score', { score: Number(score.toPrecision(3)).toLocaleString(spoken()) })
      : '',
  ].filter(Boolean)
  return [say('result-done'), ...parts].join(', ')
}
