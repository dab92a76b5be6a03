import { bitsOf, poseAt, wordsFrom, type Family } from './family'

/** A number that the PLC counts up, and its echo beside the results: nothing that polls can lose it. */
export const sequence: Family = {
  id: 'sequence',
  request: 'sequence',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'next-request',
  busyUntilRelease: false,
  answerIsNumbered: true,
  minimumDone: 0,
  whileBusy: 'queue',
  map: [
    ...wordsFrom(0, ['sequence', 'UINT'], ['job', 'UINT'], ['plcLife', 'UINT']),
    ...bitsOf(3, 'abort', 'manualAllowed'),
    ...wordsFrom(
      8,
      ['code', 'INT'],
      ['counter', 'UINT'],
      ['duration', 'UINT'],
      ['jobEcho', 'UINT'],
      ['count', 'UINT'],
    ),
    ...poseAt(14),
    ...wordsFrom(26, ['life', 'UINT']),
    ...bitsOf(27, 'ready', 'busy', 'done', 'error'),
    ...wordsFrom(28, ['sequenceEcho', 'UINT']),
  ],
}
