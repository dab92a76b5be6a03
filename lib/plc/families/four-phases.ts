import { bitsOf, wordsFrom, type Family } from './family'

/** Trigger, busy, done or error, release: one bit of the PLC, four of the cell. The map of `docs/plc-handshake.md`. */
export const fourPhases: Family = {
  id: 'four-phases',
  request: 'trigger',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'release',
  busyUntilRelease: false,
  answerIsNumbered: false,
  minimumDone: 50,
  whileBusy: 'refuse',
  map: [
    ...bitsOf(0, 'trigger'),
    ...bitsOf(1, 'ready', 'busy', 'done', 'error'),
    ...wordsFrom(2, ['code', 'INT'], ['counter', 'UINT'], ['duration', 'UINT'], ['life', 'UINT']),
  ],
}
