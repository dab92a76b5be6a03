import { ValueTooLarge, type Exceeded } from '../codec/json'
import { UbjsonError } from '../codec/ubjson'
import { codeOfStatus, type ErrorCode } from '../contract'
import type { HttpAnswer } from './attempt'
import type { AttemptFailure } from './attempt-failure'
import type { InputProblem } from './check'
import type { ClientSettings } from './options'
import { isWordOnOutcome } from './own-word'
import type { PreparedRequest } from './request-of'
import { isPage, readBody, readErrorBody } from './read-body'
import { parseRetryAfter } from './retry-after'
import { withoutSecrets } from './secrets'
import { keptOf, returnCodeIn, saidIn } from './said'
import { type Cause, type ClientSentence, clientSentences } from './vision-error'

/** Whether an answer holds a value of the operation, as opposed to a gateway's answer or a file. */
export const holdsValue = (answer: HttpAnswer, { asFile, asText }: PreparedRequest): boolean =>
  isGood(answer) && !isPage(answer) && !asFile && !asText

const isGood = ({ status }: HttpAnswer) => status >= 200 && status <= 299

/**
 * Turns an answer into the operation's result, or into the failure that it reports.
 * @param read decodes the value in the answer, and throws if it is invalid
 */
export function readAnswer(
  answer: HttpAnswer,
  request: PreparedRequest,
  settings: ClientSettings,
  read: () => unknown = () => readBody(answer),
): { result: unknown } | { failure: AttemptFailure } {
  if (!isGood(answer)) return { failure: failureOf(answer, request, settings) }
  // A login portal or a router in between may answer everything with a page.
  if (isPage(answer)) return { failure: page(answer, settings) }
  if (request.asFile) return { result: answer.body }
  if (request.asText) return { result: answer.body.toString() }
  let result: unknown
  try {
    result = read()
  } catch (error) {
    const exceeded = exceededBy(error)
    if (exceeded) return { failure: tooLarge(exceeded, settings) }
    return { failure: unreadable(error, settings.language, secretsOf(request, settings)) }
  }
  const problem = request.plan.checkResult(result)
  return problem ? { failure: wrong(problem, answer, settings) } : { result }
}

function page({ status }: HttpAnswer, { language }: ClientSettings): AttemptFailure {
  const reason = clientSentences.say('reason-page', {}, language)
  return { code: 'BAD_REPLY', key: 'page-reply', values: { reason }, cause: { status }, untold: 'unclear' }
}

function wrong(
  { field, expected }: InputProblem,
  { status }: HttpAnswer,
  { language }: ClientSettings,
): AttemptFailure {
  const values = { field: field || 'it', expected }
  const reason = clientSentences.say('reason-unfit', values, language)
  return {
    code: 'BAD_REPLY',
    key: 'wrong-reply',
    values: { ...values, reason },
    cause: { status },
    untold: 'unclear',
  }
}

const exceededBy = (error: unknown): Exceeded | undefined =>
  error instanceof ValueTooLarge || error instanceof UbjsonError ? error.exceeded : undefined

/** Another attempt would bring the same answer. */
function tooLarge({ of, most: limit }: Exceeded, { language }: ClientSettings): AttemptFailure {
  const keys = {
    fields: ['too-many-fields-reply', 'reason-too-many-fields'],
    memory: ['too-much-memory-reply', 'reason-too-much-memory'],
  } as const satisfies Record<Exceeded['of'], ClientSentence[]>
  const [key, reasonKey] = keys[of]
  const reason = clientSentences.say(reasonKey, { limit }, language)
  return {
    code: 'BAD_REPLY',
    key,
    values: { limit, reason },
    cause: { reason },
    untold: 'unclear',
    final: true,
  }
}

/** The failure for an answer that is not valid HTTP, JSON or UBJSON. */
export function unreadable(
  error: unknown,
  language: string,
  secrets: readonly string[] = [],
): AttemptFailure {
  const detail = withoutSecrets(error instanceof Error ? error.message : String(error), secrets)
  const reason = clientSentences.say('reason-unreadable', { detail }, language)
  return {
    code: 'BAD_REPLY',
    key: 'unreadable-reply',
    values: { detail, reason },
    cause: { detail },
    untold: 'unclear',
  }
}

const sentenceOfCode: Partial<Record<ErrorCode, ClientSentence>> = {
  BAD_REQUEST: 'bad-request',
  UNAUTHORIZED: 'unauthorized',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not-found',
  TOO_LARGE: 'too-large',
  RATE_LIMITED: 'rate-limited',
  DEVICE_FAULT: 'device-fault',
  STARTING: 'starting',
}

/** From nginx's own page when it requires a client certificate; the request went no further. */
const certificateMissed = /No required SSL certificate was sent|The SSL certificate error/

function failureOf(answer: HttpAnswer, request: PreparedRequest, settings: ClientSettings): AttemptFailure {
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
  const missed = status === 400 && typeof body === 'string' && certificateMissed.exec(body)?.[0]
  if (missed)
    return { code: 'UNREACHABLE', key: 'certificate', values: { reason: missed }, cause, final: true }
  const text = saidIn(body)
  const isGateways = code === 'TOO_LARGE' && !isDevices(body)
  const said = text === undefined ? '' : clientSentences.say('said', { text }, settings.language)
  const key = isGateways
    ? 'too-large-gateway'
    : (sentenceOfCode[code] ?? (status >= 300 && status < 400 ? 'redirect' : 'unexpected-status'))
  const values = { status, said, text, retryAfter }
  if (isWordOnOutcome(status, body)) return { code, key, values, cause }
  const reasonKey = text === undefined ? 'reason-status' : 'reason-status-said'
  const reason = clientSentences.say(reasonKey, { status, text }, settings.language)
  return { code, key, values: { ...values, reason }, cause, untold: 'unclear' }
}

/** A gateway refuses a request with a page, or a text of its own, before the device has received it. */
const isDevices = (body: unknown) => typeof body === 'object' && body !== null

const secretsOf = (request: PreparedRequest, settings: ClientSettings) => [
  ...settings.secrets,
  ...request.secrets,
]
