import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderJson } from '../../lib/codec/json-value'
import { encodeUbjson } from '../../lib/codec/ubjson'
import type { Device } from '../device/device'
import { ofApi, type Faults } from './faults'
import { negotiate } from './negotiate'
import { refusalBody, type Refusal } from '../refusal'
import { cut } from '../shown'
import { startTimeout } from '../../lib/timers/timers'

const plain = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }
const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }
const json = { ...headers, ...plain }
const ubjson = { ...headers, 'content-type': 'application/ubjson' }
const file = { ...headers, 'content-type': 'application/octet-stream' }
const text = { ...headers, 'content-type': 'text/plain; charset=utf-8' }

/** Cache of rendered frozen objects, which cannot change. */
const rendered = new WeakMap<object, string>()

/** Sends answers, with the faults of the scenario. */
export class Answers {
  constructor(
    private readonly device: Device,
    private readonly faults: Faults,
  ) {}

  /** @param body a string is sent as plain text, a buffer as a file */
  send(request: FastifyRequest, reply: FastifyReply, status: number, body: unknown): void {
    if (!ofApi(request.url)) {
      reply.code(status).headers(plain).send(asJson(body))
      return
    }
    const { reset, delay } = this.faults.leave()
    const leave = () => {
      if (reset || this.device.scenario.offline) resetConnection(request, reply)
      else if (typeof body === 'string') reply.code(status).headers(text).send(body)
      else if (Buffer.isBuffer(body)) reply.code(status).headers(file).send(body)
      else if (negotiate(request.headers.accept) === 'json')
        reply.code(status).headers(json).send(asJson(body))
      else reply.code(status).headers(ubjson).send(encodeUbjson(body))
    }
    if (delay > 0) startTimeout(leave, delay).unref()
    else leave()
  }

  refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
    // The query may contain a password hash.
    const [path = ''] = request.url.split('?', 1)
    if (refusal.status !== 429)
      this.device.note(
        'WARN',
        `refused with ${refusal.status}: ${request.method} ${cut(path, 200)}: ${refusal.message}`,
      )
    this.send(request, reply, refusal.status, refusalBody(refusal))
  }
}

/** Closes the connection without an answer, so that the client sees a reset. */
export function resetConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
}

function asJson(body: unknown): string {
  if (typeof body !== 'object' || body === null || !Object.isFrozen(body)) return renderJson(body)
  let json = rendered.get(body)
  if (json === undefined) rendered.set(body, (json = renderJson(body)))
  return json
}
