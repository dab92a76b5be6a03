import type { IncomingHttpHeaders } from 'node:http'
import type { NodeAPI } from 'node-red'
import { type Cause, VisionError } from '../../lib/client/vision-error'
import { renderJson } from '../../lib/codec/json'
import type { ErrorCode } from '../../lib/contract'
import { startTimeout } from '../../lib/kernel/timers'
import { isObject } from './is-object'
import { detailOf } from './node-error'
import { invalidInput, nodeError } from './sentences'

export class JsonText {
  constructor(readonly text: string) {}
}

/** Like `renderJson`, yielding after each text and number, for `inSlices`. */
export function* jsonTextSteps(value: unknown): Generator<undefined, JsonText> {
  const parts: string[] = []

  function* write(part: unknown): Generator<undefined, void> {
    if (typeof part !== 'object' || part === null) {
      parts.push(renderJson(part))
      yield
    } else if (Array.isArray(part)) {
      for (const [index, one] of part.entries()) {
        parts.push(index === 0 ? '[' : ',')
        yield* write(one)
      }
      parts.push(part.length === 0 ? '[]' : ']')
    } else {
      const fields = Object.entries(part).filter(([, inner]) => inner !== undefined)
      for (const [index, [key, inner]] of fields.entries()) {
        parts.push(`${index === 0 ? '{' : ','}${renderJson(key)}:`)
        yield* write(inner)
      }
      parts.push(fields.length === 0 ? '{}' : '}')
    }
  }

  yield* write(value)
  return new JsonText(parts.join(''))
}

export interface AdminRefusal {
  code: ErrorCode | 'failed'
  /** In the language of the editor. */
  message: string
  cause?: Cause
}

/** Never 401: the editor would end its own session. */
const statuses: Partial<Record<string, number>> = {
  INVALID_INPUT: 400,
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  REFUSED: 409,
  FORBIDDEN: 409,
  TOO_LARGE: 413,
  BUSY: 503,
  TIMEOUT: 504,
}

const gatewayError = 502

export function refusalOf(error: unknown, language?: string): { status: number; body: AdminRefusal } {
  if (!(error instanceof VisionError))
    return { status: 500, body: { code: 'failed', message: detailOf(error) } }
  const { code, cause } = error
  const message = error.inLanguage(language)
  return { status: statuses[code] ?? gatewayError, body: { code, message, ...(cause && { cause }) } }
}

/** PNG with its details as JSON in the header `x-vision-picture`. */
export class PictureAnswer {
  constructor(
    readonly png: Buffer,
    readonly known: object,
  ) {}
}

export interface AdminRequest {
  url: string
  params: Record<string, string>
  headers: IncomingHttpHeaders
  /** As parsed by Node-RED. */
  body: unknown
  acceptsLanguages: () => string[]
}

interface AdminResponse {
  on: (event: 'close', listener: () => void) => unknown
  set: (headers: Record<string, string>) => unknown
  status: (status: number) => unknown
  type: (type: string) => unknown
  attachment: () => unknown
  send: (body: string | Buffer) => unknown
  write: (body: string) => unknown
  end: () => unknown
}

/** The signal is aborted when the browser disconnects. */
export interface AdminCall {
  request: AdminRequest
  signal: AbortSignal
}

/** JSON, bytes as a file, a picture, or an error as `{ code, message }`. */
export const answering =
  (work: (call: AdminCall) => Promise<unknown>) =>
  async (request: AdminRequest, response: AdminResponse): Promise<void> => {
    const gone = new AbortController()
    const { signal } = gone
    response.on('close', () => gone.abort())
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const answer = (body: unknown) => {
      if (signal.aborted) return
      if (body instanceof PictureAnswer) {
        response.set({ 'x-vision-picture': JSON.stringify(body.known) })
        response.type('image/png')
        response.send(body.png)
        return
      }
      const isFile = Buffer.isBuffer(body)
      if (isFile) response.attachment()
      response.type(isFile ? 'application/octet-stream' : 'application/json')
      response.send(isFile ? body : body instanceof JsonText ? body.text : renderJson(body ?? null))
    }
    try {
      answer(await work({ request, signal }))
    } catch (error) {
      const { status, body } = refusalOf(error, languageOf(request))
      response.status(status)
      answer(body)
    }
  }

/**
 * Answers a request with one JSON line for each event, as it comes. An error before the first line is answered as usual; later
 * it is the last line.
 */
export const answeringInLines =
  (work: (asked: AdminCall, write: (event: object) => void) => Promise<void>) =>
  async (request: AdminRequest, response: AdminResponse): Promise<void> => {
    const gone = new AbortController()
    const { signal } = gone
    response.on('close', () => gone.abort())
    // A proxy must pass on each line at once.
    response.set({
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    const progress = { hasBegun: false }
    const write = (line: unknown) => {
      if (signal.aborted) return
      if (!progress.hasBegun) response.type('application/x-ndjson')
      progress.hasBegun = true
      response.write(`${renderJson(line)}\n`)
    }
    try {
      await work({ request, signal }, write)
    } catch (error) {
      const { status, body } = refusalOf(error, languageOf(request))
      if (!progress.hasBegun) response.status(status)
      write(body)
    }
    response.end()
  }

/** The editor's language may differ from Node-RED's. */
export const languageOf = (request: AdminRequest): string | undefined =>
  request.acceptsLanguages().find((language) => language !== '*')

/** Milliseconds; Node-RED allows 15 s to close. */
const patience = 15_000

interface RuntimeEvent {
  id: string
  /** `deploy`: part of a deploy. */
  payload?: { deploy?: boolean }
}

const settling = new WeakMap<NodeAPI['events'], (signal: AbortSignal) => Promise<void>>()

/** Requests wait for a deploy, which is answered before the new nodes start; not if flows cannot start, or on an abort. */
export function flowsSettled({ events }: NodeAPI): (signal: AbortSignal) => Promise<void> {
  // One set of listeners, however often the editor's server is started.
  const known = settling.get(events)
  if (known) return known
  const waiting = new Set<() => void>()
  let isReplacing = false
  const settle = () => {
    isReplacing = false
    for (const go of waiting) go()
  }
  events.on('flows:stopping', () => (isReplacing = true))
  events.on('flows:started', settle)
  // Flows were stopped, or cannot start, for example because a node type is missing.
  events.on('runtime-event', ({ id, payload }: RuntimeEvent) => {
    if (id === 'runtime-state' && !payload?.deploy) settle()
  })

  const settled = (signal: AbortSignal): Promise<void> =>
    !isReplacing || signal.aborted
      ? Promise.resolve()
      : new Promise((resolve) => {
          const go = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', go)
            waiting.delete(go)
            resolve()
          }
          const timer = startTimeout(go, patience)
          signal.addEventListener('abort', go)
          waiting.add(go)
        })
  settling.set(events, settled)
  return settled
}

/** Bytes; enough for a backup. */
const mostBytes = 1024 * 1024

/** @throws INVALID_INPUT, TOO_LARGE */
export function jsonBody({ body, headers }: AdminRequest): Record<string, unknown> {
  // Another site cannot send this content type without a preflight request.
  if (!isObject(body) || !/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw invalidInput('no-form')
  const length = headers['content-length'] ?? JSON.stringify(body).length
  if (Number(length) > mostBytes) throw nodeError('TOO_LARGE', 'too-large-here', { limit: mostBytes })
  return body
}

export function oncePerServer(addRoutes: (RED: NodeAPI) => void): (RED: NodeAPI) => void {
  const served = new WeakSet<object>()
  return (RED) => {
    if (served.has(RED.httpAdmin)) return
    served.add(RED.httpAdmin)
    addRoutes(RED)
  }
}

/** @throws BUSY beyond the limit */
export function turnstile(most: number) {
  let inside = 0
  return async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (inside >= most) throw nodeError('BUSY', 'editor-busy', { limit: most })
    inside++
    try {
      return await work()
    } finally {
      inside--
    }
  }
}
