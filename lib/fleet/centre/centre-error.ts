import { CodedError } from '../../kernel/errors'
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
export class CentreError extends CodedError<CentreErrorCode> {
  override readonly name = 'CentreError'

  constructor(
    code: CentreErrorCode,
    key: KeyOf<typeof centreSentences>,
    values: Readonly<Record<string, string | number>> = {},
  ) {
    super({ code, key, values }, centreSentences)
  }
}
