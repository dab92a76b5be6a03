import type { NodeAPI } from 'node-red'
import type { Client } from '../../lib'
import { VisionError, type Cause } from '../../lib/client/vision-error'
import type { ErrorCode } from '../../lib/contract'

let language: string | undefined

/** Errors of the nodes speak the language of this Node-RED from now on; there is one in a process. */
export function speak(RED: NodeAPI): void {
  language = languageOf(RED)
}

/** The language of this Node-RED; undefined is en-US. */
export const spoken = (): string | undefined => language

function languageOf(RED: NodeAPI): string | undefined {
  const { lang } = RED.settings as { lang?: unknown }
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  // As Node-RED decides for its own texts, which the words of a status are among.
  const wanted = typeof lang === 'string' && lang ? lang : (LC_ALL ?? LC_MESSAGES ?? LANG)?.slice(0, 2)
  return wanted !== undefined && /^[a-z]{2,3}(-[a-z]{2,4})?$/i.test(wanted) ? wanted : undefined
}

/** How errors name a device, and where it is. */
export const placeOf = ({ name, address }: Pick<Client, 'name' | 'address'>) => ({
  device: name,
  address,
  ...(language !== undefined && { language }),
})

/** The library's parts that know no flow speak en-US; the client itself has been told the language. */
export const inOurLanguage = (error: unknown): unknown =>
  error instanceof VisionError && !error.operation ? error.retold({ language: spoken() }) : error

/** What a foreign error says; those of JSONata are plain objects. */
export const detailOf = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'message' in problem
    ? String(problem.message)
    : String(problem)

/** The stable code of an error, if it has one. */
export const codeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof VisionError ? error.code : undefined

/** What is known about an error beyond its code. */
export const causeOf = (error: unknown): Cause | undefined =>
  error instanceof VisionError ? error.cause : undefined
