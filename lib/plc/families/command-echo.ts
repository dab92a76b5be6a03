import { bitsOf, poseAt, wordsFrom, type Family } from './family'

/** A command code and its echo: the echo stands until the command has ended and the PLC asks for nothing. */
export const commandEcho: Family = {
  id: 'command-echo',
  request: 'command',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'next-request',
  busyUntilRelease: false,
  answerIsNumbered: false,
  minimumDone: 0,
  whileBusy: 'refuse',
  commands: {
    // Automatic mode: the cell has no other.
    1: 'accept',
    2: 'prepare',
    3: 'release',
    4: 'cycle',
    // Continuous operation: each result needs a request.
    5: 'unsupported',
    // Halt and stop: nothing goes on by itself.
    6: 'accept',
    7: 'clear',
    8: 'accept',
    9: 'abort',
    10: 'take',
    11: 'clear',
  },
  map: [
    ...wordsFrom(0, ['command', 'INT'], ['job', 'UINT'], ['plcLife', 'UINT']),
    ...bitsOf(3, 'manualAllowed', 'plcLifeBit'),
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
    ...bitsOf(27, 'ready', 'busy', 'done', 'error', 'resultsValid', 'online', 'lifeBit'),
    ...wordsFrom(28, ['commandEcho', 'INT']),
  ],
}
