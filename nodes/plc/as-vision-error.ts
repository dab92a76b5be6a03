import { errorsOf } from '../../lib/client/vision-error'
import { errorCodes, type ErrorCode } from '../../lib/contract/error-codes'
import { PlcError } from '../../lib/plc/plc-error'
import { spoken } from '../shared/node-error'

/**
 * A fault of the connection or the map as the nodes report all errors, with a code of theirs; any other error as it is.
 * @param language of the sentence
 */
export function asVisionError(error: unknown, language: string | undefined = spoken()): unknown {
  if (!(error instanceof PlcError)) return error
  const { code, key, values, cause, sentences } = error
  const reason = cause?.reason
  return errorsOf(sentences)(
    { code: isErrorCode(code) ? code : 'INVALID_INPUT', key, values, ...(reason && { cause: { reason } }) },
    language === undefined ? {} : { language },
  )
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)
