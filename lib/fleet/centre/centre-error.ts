import { sentencesIn, type KeyOf } from '../../kernel/sentences'
import type en from './locales/en-US/sentences.json'

/** The sentences of a centre. */
export const centreSentences = sentencesIn<typeof en>(__dirname)

/** Why an order to the centre was not carried out. */
export type CentreErrorCode =
  | 'INVALID_INPUT'
  | 'REFUSED'
  | 'NOT_FOUND'
  | 'BUSY'
  | 'OUTCOME_UNKNOWN'
  | 'ABORTED'

/** The error of an order to the centre: a stable code, and the key of its sentence. */
export class CentreError extends Error {
  override readonly name = 'CentreError'

  constructor(
    readonly code: CentreErrorCode,
    readonly key: KeyOf<typeof centreSentences>,
    readonly values: Readonly<Record<string, string | number>> = {},
  ) {
    super(centreSentences.say(key, values))
  }
}
