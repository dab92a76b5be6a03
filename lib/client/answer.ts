/** Turns an answer into the result of an operation, or into the failure that it reports. */
import { checkJson, jsonSteps, deepest, ValueTooLarge, type Exceeded, mostMemory } from '../codec/json'
import { decodeUbjson, ubjsonSteps, UbjsonError } from '../codec/ubjson'
import type { HttpAnswer } from './connection'
import { codeOfStatus, type ErrorCode } from '../contract'
import { type AttemptFailure, unreadable } from './failures'
import type { InputProblem, PreparedRequest } from './request'
import type { ClientSettings } from './options'
import { isDefinitiveStatus, parseRetryAfter, excerptOf, returnCodeIn, messageIn } from './error-answer'
import { withoutSecrets } from './secrets'
import { type Cause, type ClientSentence, clientSentences } from './vision-error'
import { inSlices } from '../kernel/timers'

const isUbjson = ({ headers }: HttpAnswer) => /\bubjson\b/i.test(String(headers['content-type']))

/** Whether an answer is a web page. The content type alone is no proof: some servers call everything HTML. */
const isPage = ({ headers, body }: HttpAnswer): boolean =>
  /\bhtml\b/i.test(String(headers['content-type'])) && /^\s*</.test(body.subarray(0, 64).toString())

/** Decodes the body by its content type. Undefined for an empty body, which some operations return. */
function readBody(answer: HttpAnswer): unknown {
  const { body } = answer
  if (!body.length) return undefined
  if (isUbjson(answer)) return decodeUbjson(body)
  // Every level takes at least two bytes, so shorter bodies cannot nest too deep or take much memory.
  if (body.length > 2 * deepest) checkJson(body)
  return JSON.parse(body.toString()) as unknown
}

/** Bytes that are decoded at once: a few milliseconds of work, whatever they contain. */
const longest = 64 * 1024

export const isLong = ({ body }: HttpAnswer): boolean => body.length > longest

const bodySteps = (answer: HttpAnswer): Generator<undefined, unknown> =>
  isUbjson(answer) ? ubjsonSteps(answer.body) : jsonSteps(answer.body)

/** The decoded body of an error, or else the beginning of its text. */
function readErrorBody(answer: HttpAnswer): unknown {
  const { body } = answer
  try {
    if (!isLong(answer)) return readBody(answer)
  } catch {
    // Many gateways send errors in a format of their own.
  }
  return isUbjson(answer) ? undefined : body.subarray(0, longest).toString()
}

/** False for a gateway's answer or a file. */
export const holdsValue = (answer: HttpAnswer, { asFile, asText }: PreparedRequest): boolean =>
  isGood(answer) && !isPage(answer) && !asFile && !asText

const isGood = ({ status }: HttpAnswer) => status >= 200 && status <= 299

/** @param read decodes the body; throws if it is invalid */
export function readAnswer(
  answer: HttpAnswer,
  request: PreparedRequest,
  settings: ClientSettings,
  read: () => unknown = () => readBody(answer),
): { result: unknown } | { failure: AttemptFailure } {
  if (!isGood(answer)) return { failure: failureOf(answer, request, settings) }
  // A login portal or a router may answer everything with a page.
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
  return { code: 'BAD_REPLY', key: 'page-reply', values: { reason }, cause: { status }, uncertain: 'unclear' }
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
    uncertain: 'unclear',
  }
}

const exceededBy = (error: unknown): Exceeded | undefined =>
  error instanceof ValueTooLarge || error instanceof UbjsonError ? error.exceeded : undefined

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
    uncertain: 'unclear',
    final: true,
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

/** nginx's page when it requires a client certificate; the request was not forwarded. */
const certificateMissed = /No required SSL certificate was sent|The SSL certificate error/

function failureOf(answer: HttpAnswer, request: PreparedRequest, settings: ClientSettings): AttemptFailure {
  const { status } = answer
  const code = codeOfStatus[status] ?? 'BAD_REPLY'
  const body = withoutSecrets(readErrorBody(answer), secretsOf(request, settings))
  const returnCode = returnCodeIn(body)
  const retryAfter = parseRetryAfter(answer.headers['retry-after'])
  const cause: Cause = {
    status,
    body: excerptOf(body),
    ...(returnCode && { returnCode }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
  const missed = status === 400 && typeof body === 'string' && certificateMissed.exec(body)?.[0]
  if (missed)
    return { code: 'UNREACHABLE', key: 'certificate', values: { reason: missed }, cause, final: true }
  const text = messageIn(body)
  const isGateways = code === 'TOO_LARGE' && !isDevices(body)
  const said = text === undefined ? '' : clientSentences.say('said', { text }, settings.language)
  const key = isGateways
    ? 'too-large-gateway'
    : (sentenceOfCode[code] ?? (status >= 300 && status < 400 ? 'redirect' : 'unexpected-status'))
  const values = { status, said, text, retryAfter }
  if (isDefinitiveStatus(status, body)) return { code, key, values, cause }
  const reasonKey = text === undefined ? 'reason-status' : 'reason-status-said'
  const reason = clientSentences.say(reasonKey, { status, text }, settings.language)
  return { code, key, values: { ...values, reason }, cause, uncertain: 'unclear' }
}

/** A gateway that refuses a request sends a page or a text of its own; the device never received it. */
const isDevices = (body: unknown) => typeof body === 'object' && body !== null

const secretsOf = (request: PreparedRequest, settings: ClientSettings) => [
  ...settings.secrets,
  ...request.secrets,
]

/**
 * Bytes of memory in which all clients together decode long answers: the largest one and a shorter one beside it. A
 * gateway computer with 512 MB has a heap of 256 MB.
 */
const allTogether = 48 * 1024 * 1024

interface WaitingAnswer {
  memory: number
  isOver: () => boolean
  begin: () => void
  giveUp: () => void
}

let taken = 0

/** Shortest first, so that a device with huge answers does not hold up the others. */
const waiting: WaitingAnswer[] = []

/** Decodes in slices, when there is memory for it. @param isOver the result is no longer needed @throws AbortError */
export async function readLongAnswer(answer: HttpAnswer, isOver: () => boolean): Promise<unknown> {
  const memory = mostMemory(answer.body.length)
  await new Promise<void>((begin, reject) => {
    const longer = waiting.findIndex((other) => other.memory > memory)
    const giveUp = () => reject(new DOMException('Nobody waits for the answer any more.', 'AbortError'))
    waiting.splice(longer < 0 ? waiting.length : longer, 0, { memory, isOver, begin, giveUp })
    beginNext()
  })
  try {
    return await inSlices(bodySteps(answer), isOver)
  } finally {
    taken -= memory
    beginNext()
  }
}

function beginNext() {
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (next.isOver()) next.giveUp()
    else if (taken + next.memory > allTogether) return
    else {
      taken += next.memory
      next.begin()
    }
    waiting.shift()
  }
}
