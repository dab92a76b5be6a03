import type { IncomingHttpHeaders } from 'node:http'
import { renderJson } from '../../../lib/codec/json'
import { JsonText } from './json-text'
import { refusalOf } from './refusal-of'

/** A PNG file as the answer to a request, with what is known of it as JSON in the header `x-vision-picture`. */
export class PictureAnswer {
  constructor(
    readonly png: Buffer,
    readonly known: object,
  ) {}
}

/** The parts of an editor's request that are used. */
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
}

/** A request of the browser; the signal is aborted when the browser disconnects. */
export interface AdminCall {
  request: AdminRequest
  signal: AbortSignal
}

/** Answers a request with the result as JSON, bytes as a file, a picture as
 * such, or an error as `{ code, message }`. */
export const answering =
  (work: (asked: AdminCall) => Promise<unknown>) =>
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

/** The language of the editor, which may differ from that of this Node-RED. */
export const languageOf = (request: AdminRequest): string | undefined =>
  request.acceptsLanguages().find((language) => language !== '*')
