import { request, type Dispatcher } from 'undici'
import { abortedAfter } from '../kernel/timers'

/** How a request has ended. */
export type Posted =
  | { end: 'taken'; rejected: number; reason: string }
  /** It certainly was not taken, and may be sent again. @property after milliseconds that the collector asks for */
  | { end: 'later'; reason: string; after?: number }
  /** Nobody knows whether it was taken. */
  | { end: 'unknown'; reason: string; after?: number }
  /** It is not to be sent again. */
  | { end: 'refused'; reason: string }

export interface PostOptions {
  url: string
  headers: Readonly<Record<string, string>>
  dispatcher: Dispatcher
  /** Milliseconds. */
  deadline: number
  signal: AbortSignal
}

/** Failures before a byte was sent, beside all of a connection that did not come about. */
const unsent = new Set(['ENOTFOUND', 'EAI_AGAIN'])
/** Longest part of an answer that is read, in characters. */
const longestAnswer = 64 * 1024

/** Sends a request by the rules of OTLP: 429, 502, 503 and 504 are repeated, other errors are not. Never throws. */
export async function post(
  body: string,
  { url, headers, dispatcher, deadline, signal }: PostOptions,
): Promise<Posted> {
  try {
    const answer = await request(url, {
      ...{
        method: 'POST',
        body,
        dispatcher,
        signal: AbortSignal.any([signal, abortedAfter(deadline)]),
      },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    let text = ''
    for await (const chunk of answer.body) if (text.length < longestAnswer) text += String(chunk)
    const { statusCode: status } = answer
    if (status >= 200 && status < 300) return taken(text)
    const after = retryAfter(answer.headers['retry-after'])
    const rest = { reason: `HTTP ${status}`, ...(after !== undefined && { after }) }
    if (status === 429 || status === 503) return { end: 'later', ...rest }
    // A gateway answers so too where only the answer was lost.
    if (status === 502 || status === 504) return { end: 'unknown', ...rest }
    return { end: 'refused', reason: rest.reason }
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException
    const isUnsent = syscall === 'connect' || unsent.has(code ?? '')
    return { end: isUnsent ? 'later' : 'unknown', reason: code ?? message }
  }
}

function taken(text: string): Posted {
  try {
    const { partialSuccess } = JSON.parse(text) as {
      partialSuccess?: { rejectedLogRecords?: string | number; errorMessage?: string }
    }
    const { rejectedLogRecords = 0, errorMessage = '' } = partialSuccess ?? {}
    return { end: 'taken', rejected: Number(rejectedLogRecords) || 0, reason: errorMessage.slice(0, 500) }
  } catch {
    // An empty answer is a success.
    return { end: 'taken', rejected: 0, reason: '' }
  }
}

/** Milliseconds, of seconds or a date. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, 1000 * seconds)
}
