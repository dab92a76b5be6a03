import { bitsOf, poseAt, wordsFrom, type Family } from './family'

/** EXE starts the command in its word, FLG tells that the response stands, BUSY ends with EXE. */
export const exeBusyFlg: Family = {
  id: 'exe-busy-flg',
  request: 'trigger',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'release',
  busyUntilRelease: true,
  answerIsNumbered: false,
  minimumDone: 50,
  whileBusy: 'refuse',
  map: [
    ...bitsOf(0, 'trigger', 'manualAllowed'),
    { row: 'plcLife', address: 1, type: 'UINT' },
    { row: 'command', address: 2, type: 'UDINT' },
    ...[1, 2, 3].map((index) => ({
      row: 'argument' as const,
      index,
      address: 2 + index * 2,
      type: 'DINT' as const,
    })),
    { row: 'commandEcho', address: 16, type: 'UDINT' },
    ...wordsFrom(18, ['code', 'INT'], ['counter', 'UINT'], ['duration', 'UINT'], ['count', 'UINT']),
    ...poseAt(22),
    ...wordsFrom(34, ['life', 'UINT']),
    // FLG, BUSY, READY, OR (the overall judgement) and error.
    ...bitsOf(35, 'answered', 'busy', 'ready', 'done', 'error'),
  ],
}
