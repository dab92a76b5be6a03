import type { IncomingHttpHeaders } from 'node:http'
import { renderJson } from '../../../lib/codec/device-json'
import { JsonText } from './json-text'
import { refusalOf } from './refusal-of'

/** What is used of a request of the editor. */
export interface AdminRequest {
  url: string
  params: Record<string, string>
  headers: IncomingHttpHeaders
  /** As Node-RED has parsed it. */
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
}

/** What the browser asked for, until it goes away. */
export interface AdminCall {
  request: AdminRequest
  signal: AbortSignal
}

/** Ends a request with what the work returns as JSON, bytes as a file, or with what is wrong as `{ code, message }`. */
export const answering =
  (work: (asked: AdminCall) => Promise<unknown>) =>
  async (request: AdminRequest, response: AdminResponse): Promise<void> => {
    const gone = new AbortController()
    const { signal } = gone
    response.on('close', () => gone.abort())
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const answer = (body: unknown) => {
      if (signal.aborted) return
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

/** The language of the editor, which may be another than that of this Node-RED. */
export const languageOf = (request: AdminRequest): string | undefined =>
  request.acceptsLanguages().find((language) => language !== '*')
