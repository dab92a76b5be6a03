import { codeOfStatus, type ErrorCode } from '../contract'
import type { Answer } from './attempt'
import type { Problem } from './check'
import type { Settings } from './options'
import type { PreparedRequest } from './request-of'
import { isPage, readBody, readErrorBody } from './read-body'
import { parseRetryAfter } from './retry-after'
import { withoutSecrets } from './secrets'
import { keptOf, returnCodeIn, saidIn } from './said'
import { sentence, type SentenceKey } from './sentences'
import type { Cause, Failure } from './vision-error'

/** What an answer means: the operation's result, or the failure that it reports. */
export function readAnswer(
  answer: Answer,
  request: PreparedRequest,
  settings: Settings,
): { result: unknown } | { failure: Failure } {
  if (answer.status < 200 || answer.status > 299) return { failure: failureOf(answer, request, settings) }
  // What stands between may answer everything with a page: a login portal, a router.
  if (isPage(answer))
    return { failure: { code: 'BAD_REPLY', key: 'page-reply', cause: { status: answer.status } } }
  if (request.asFile) return { result: answer.body }
  if (request.asText) return { result: answer.body.toString() }
  try {
    const result = readBody(answer)
    const problem = request.plan.checkResult(result)
    return problem ? { failure: wrong(problem, answer) } : { result }
  } catch (error) {
    return { failure: unreadable(error, secretsOf(request, settings)) }
  }
}

function wrong({ field, expected }: Problem, { status }: Answer): Failure {
  const values = { field: field || 'it', expected }
  return { code: 'BAD_REPLY', key: 'wrong-reply', values, cause: { status } }
}

/** An answer that is no HTTP, no JSON or no UBJSON. */
export function unreadable(error: unknown, secrets: readonly string[] = []): Failure {
  const detail = withoutSecrets(error instanceof Error ? error.message : String(error), secrets)
  return { code: 'BAD_REPLY', key: 'unreadable-reply', values: { detail }, cause: { detail } }
}

const sentenceOfCode: Partial<Record<ErrorCode, SentenceKey>> = {
  BAD_REQUEST: 'bad-request',
  UNAUTHORIZED: 'unauthorized',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not-found',
  TOO_LARGE: 'too-large',
  RATE_LIMITED: 'rate-limited',
  DEVICE_FAULT: 'device-fault',
  STARTING: 'starting',
}

function failureOf(answer: Answer, request: PreparedRequest, settings: Settings): Failure {
  const { status } = answer
  const code = codeOfStatus[status] ?? 'BAD_REPLY'
  const body = withoutSecrets(readErrorBody(answer), secretsOf(request, settings))
  const returnCode = returnCodeIn(body)
  const retryAfter = parseRetryAfter(answer.headers['retry-after'])
  const cause: Cause = {
    status,
    body: keptOf(body),
    ...(returnCode && { returnCode }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
  const text = saidIn(body)
  const said = text === undefined ? '' : sentence('said', { text }, settings.language)
  const key = sentenceOfCode[code] ?? (status >= 300 && status < 400 ? 'redirect' : 'unexpected-status')
  return { code, key, values: { status, said, text, retryAfter }, cause }
}

const secretsOf = (request: PreparedRequest, settings: Settings) => [...settings.secrets, ...request.secrets]
