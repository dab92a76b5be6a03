import { bitsOf, poseAt, wordsFrom, type Family } from './family'

/** Two handshakes beside each other: trigger and its acknowledgement, results and theirs. */
export const controlWords: Family = {
  id: 'control-words',
  request: 'trigger',
  needsEnable: true,
  refusal: 'missed',
  answerUntil: 'acknowledged',
  busyUntilRelease: false,
  answerIsNumbered: true,
  minimumDone: 0,
  whileBusy: 'refuse',
  map: [
    ...bitsOf(0, 'enable', 'trigger', 'resultsAck', 'clearError', 'abort', 'manualAllowed'),
    ...wordsFrom(1, ['job', 'UINT'], ['plcLife', 'UINT']),
    ...wordsFrom(
      8,
      ['code', 'INT'],
      ['counter', 'UINT'],
      ['duration', 'UINT'],
      ['jobEcho', 'UINT'],
      ['count', 'UINT'],
    ),
    ...poseAt(14),
    ...wordsFrom(
      26,
      ['life', 'UINT'],
      ['acquisitionId', 'UINT'],
      ['offlineReason', 'UINT'],
      ['missedCount', 'UINT'],
    ),
    ...bitsOf(30, 'ready', 'triggerAck', 'busy', 'resultsValid', 'error', 'missed', 'online'),
  ],
}
