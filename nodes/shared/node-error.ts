import type { NodeAPI } from 'node-red'
import type { Client } from '../../lib'
import { errorsOf, VisionError, type Cause } from '../../lib/client/vision-error'
import { errorCodes, type ErrorCode } from '../../lib/contract/error-codes'
import { isCodedError } from '../../lib/kernel/errors'
import { RobotError, type RobotErrorCode } from '../../lib/robot-motion/state'

let language: string | undefined
/** Within `withLanguage`. */
let readers: { language: string | undefined } | undefined

/** Of this Node-RED; one per process. */
export function setLanguage(RED: NodeAPI): void {
  language = languageOf(RED)
}

/** The reader's in `withLanguage`, otherwise Node-RED's; undefined is en-US. */
export const currentLanguage = (): string | undefined => (readers ? readers.language : language)

/** @param say must not be asynchronous */
export function withLanguage<Text>(reader: string | undefined, say: () => Text): Text {
  const before = readers
  readers = { language: reader }
  try {
    return say()
  } finally {
    readers = before
  }
}

function languageOf(RED: NodeAPI): string | undefined {
  const { lang } = RED.settings as { lang?: unknown }
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  // As Node-RED does for its own texts, which include the status words.
  const configured = typeof lang === 'string' && lang ? lang : (LC_ALL ?? LC_MESSAGES ?? LANG)?.slice(0, 2)
  return configured !== undefined && /^[a-z]{2,3}(-[a-z]{2,4})?$/i.test(configured) ? configured : undefined
}

export const placeOf = ({ name, address }: Pick<Client, 'name' | 'address'>) => ({
  device: name,
  address,
  ...(language !== undefined && { language }),
})

/** Parts of the library use en-US; the client has the language as an option. */
export const inOurLanguage = (error: unknown): unknown =>
  error instanceof VisionError && !error.operation ? error.retold({ language: currentLanguage() }) : error

/** JSONata throws plain objects. */
export const detailOf = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'message' in problem
    ? String(problem.message)
    : String(problem)

export const codeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof VisionError ? error.code : undefined

export const anyCodeOf = (error: unknown): ErrorCode | RobotErrorCode | undefined =>
  error instanceof RobotError ? error.code : codeOf(error)

export const causeOf = (error: unknown): Cause | undefined =>
  error instanceof VisionError ? error.cause : undefined

/** Reported with the codes of nodes; recognised by name because the classes load later. */
const families = new Set(['PlcError', 'CentreError'])

/** Errors of a PLC or a centre become VisionErrors; others stay. @param reader language of the sentence */
export function asVisionError(error: unknown, reader: string | undefined = currentLanguage()): unknown {
  if (!isCodedError(error) || !families.has(error.name)) return error
  const { code, key, values, sentences, cause } = error
  const { reason } = (cause ?? {}) as { reason?: string }
  return errorsOf(sentences)(
    {
      code: isErrorCode(code) ? code : 'INVALID_INPUT',
      key,
      values: { ...values },
      ...(reason && { cause: { reason } }),
    },
    reader === undefined ? {} : { language: reader },
  )
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)
