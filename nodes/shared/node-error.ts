import type { NodeAPI } from 'node-red'
import type { Client } from '../../lib'
import { errorsOf, VisionError, type Cause } from '../../lib/client/vision-error'
import { errorCodes, type ErrorCode } from '../../lib/contract/error-codes'
import { isCodedError } from '../../lib/kernel/errors'
import { RobotError, type RobotErrorCode } from '../../lib/robot-motion/state'

let language: string | undefined
/** The reader's language, while `withLanguage` runs. */
let readers: { language: string | undefined } | undefined

/** Sets the language of the nodes' errors to that of this Node-RED; there is one per process. */
export function setLanguage(RED: NodeAPI): void {
  language = languageOf(RED)
}

/** The language of the reader in `withLanguage`, otherwise of this Node-RED; undefined is en-US. */
export const currentLanguage = (): string | undefined => (readers ? readers.language : language)

/** Writes a text in the language of a reader. @param say must not be asynchronous */
export function withLanguage<Told>(reader: string | undefined, say: () => Told): Told {
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
  // Decided as Node-RED does for its own texts, which include the status words.
  const wanted = typeof lang === 'string' && lang ? lang : (LC_ALL ?? LC_MESSAGES ?? LANG)?.slice(0, 2)
  return wanted !== undefined && /^[a-z]{2,3}(-[a-z]{2,4})?$/i.test(wanted) ? wanted : undefined
}

/** The name and address of a device for errors. */
export const placeOf = ({ name, address }: Pick<Client, 'name' | 'address'>) => ({
  device: name,
  address,
  ...(language !== undefined && { language }),
})

/** Parts of the library that know no flow use en-US; the client itself gets the language as an option. */
export const inOurLanguage = (error: unknown): unknown =>
  error instanceof VisionError && !error.operation ? error.retold({ language: currentLanguage() }) : error

/** The message of a foreign error; those of JSONata are plain objects. */
export const detailOf = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'message' in problem
    ? String(problem.message)
    : String(problem)

/** The stable code of an error, if it has one. */
export const codeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof VisionError ? error.code : undefined

/** The stable code of an error of a device or a robot. */
export const anyCodeOf = (error: unknown): ErrorCode | RobotErrorCode | undefined =>
  error instanceof RobotError ? error.code : codeOf(error)

/** The details of an error beyond its code. */
export const causeOf = (error: unknown): Cause | undefined =>
  error instanceof VisionError ? error.cause : undefined

/** Errors of the library that the nodes report with codes of their own. Known by name: their classes are loaded later. */
const families = new Set(['PlcError', 'CentreError'])

/**
 * An error of a PLC or a centre as the nodes report all errors; any other error as it is.
 * @param reader language of the sentence
 */
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
