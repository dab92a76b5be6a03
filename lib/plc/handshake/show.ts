import type { CellSays } from '../rows'
import type { Turn } from './state'
import { saysOf } from './words'

/** Adds the writes by which the PLC sees the state as it is now. */
export function show(turn: Turn): void {
  const { state, effects } = turn
  // Memory of the cell's own is there for a PLC that is not connected just now.
  if (!state.link && !state.synced) return
  const before = state.said
  const says = saysOf(turn)
  if (before && !differ(before, says)) return
  // Results must not change below flags that call the former ones valid.
  if (before?.answered && resultRows.some((row) => before[row] !== says[row]))
    effects.push({ type: 'write', says: flagsDown(before, says.busy), all: false })
  effects.push({ type: 'write', says, all: before === undefined })
  state.said = says
}

const resultRows = [
  'code',
  'duration',
  'jobEcho',
  'data',
  'counter',
  'acquisitionId',
] as const satisfies (keyof CellSays)[]

/**
 * @param busy a cycle begins: a PLC that sees neither an answer nor *busy* takes the handshake for closed, and may reset and set
 * its request faster than it is polled. The next answer would be the one to the request before.
 */
const flagsDown = (says: CellSays, busy: boolean): CellSays => ({
  ...says,
  busy: says.busy || busy,
  ready: false,
  done: false,
  error: false,
  answered: false,
  resultsValid: false,
})

const differ = (one: CellSays, other: CellSays): boolean =>
  (Object.keys(other) as (keyof CellSays)[]).some((row) => one[row] !== other[row])
