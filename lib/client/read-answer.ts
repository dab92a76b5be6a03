import { codeOfStatus, type ErrorCode, type ReturnCode } from '../contract'
import type { Answer } from './attempt'
import type { Settings } from './options'
import type { PreparedRequest } from './request-of'
import { parseRetryAfter } from './retry-after'
import { sentence, type SentenceKey } from './sentences'
import type { Cause, Failure } from './vision-error'

/** Longest part of an error body that is kept, in bytes. */
const keptBytes = 4096

/** What an answer means: the operation's result, or the failure that it reports. */
export function readAnswer(
  answer: Answer,
  request: PreparedRequest,
  settings: Settings,
): { result: unknown } | { failure: Failure } {
  if (answer.status < 200 || answer.status > 299) return { failure: failureOf(answer, request, settings) }
  if (request.asText) return { result: answer.body.toString() }
  let result: unknown
  try {
    result = parse(answer)
  } catch (error) {
    return { failure: unreadable(error) }
  }
  const problem = request.plan.checkResult(result)
  if (!problem) return { result }
  const values = { field: problem.field || 'the answer', expected: problem.expected }
  return { failure: { code: 'BAD_REPLY', key: 'wrong-reply', values, cause: { status: answer.status } } }
}

/** An answer that is no HTTP, no JSON or no UBJSON. */
export function unreadable(error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error)
  return { code: 'BAD_REPLY', key: 'unreadable-reply', values: { detail }, cause: { detail } }
}

function parse({ body }: Answer): unknown {
  // Some operations are answered without a body.
  if (!body.length) return undefined
  return JSON.parse(body.toString())
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
  const body = errorBody(answer, [...settings.secrets, ...request.secrets])
  const cause: Cause = { status, body }
  const returnCode = returnCodeIn(body)
  if (returnCode) cause.returnCode = returnCode
  const retryAfter = parseRetryAfter(answer.headers['retry-after'])
  if (retryAfter !== undefined) cause.retryAfter = retryAfter

  const text = messageIn(body) ?? returnCode?.message
  const said = text ? sentence('said', { text: text.replace(/[.\s]+$/, '') }, settings.language) : ''
  const key = sentenceOfCode[code] ?? (status >= 300 && status < 400 ? 'redirect' : 'unexpected-status')
  return { code, key, values: { status, said, text, retryAfter }, cause }
}

function errorBody({ body, headers }: Answer, secrets: readonly string[]): unknown {
  let text = body.subarray(0, keptBytes).toString()
  // A gateway may repeat what it was sent.
  for (const secret of secrets) if (secret.length > 2) text = text.replaceAll(secret, '***')
  if (!/json/i.test(String(headers['content-type'])) && !text.startsWith('{')) return text || undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text || undefined
  }
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined

function messageIn(body: unknown): string | undefined {
  const message = fieldOf(body, 'message')
  return typeof message === 'string' && message ? message : undefined
}

function returnCodeIn(body: unknown): ReturnCode | undefined {
  const code = fieldOf(body, 'return_code')
  const value = fieldOf(code, 'value')
  return typeof value === 'number' ? { value, message: messageIn(code) ?? '' } : undefined
}
