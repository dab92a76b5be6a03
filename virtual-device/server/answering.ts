/** From a request to the answer of its handler. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type OperationId, type Body, operation } from '../../lib/contract'
import { backup, firmware, license, network, system, time, uiLock, userSpace } from '../handlers/system'
import { cad, templates } from '../handlers/stored-files'
import { dataStreams, globalNodes, logs, pipelineNodes, pipelines } from '../handlers/pipeline-nodes'
import type { Handler, Handlers } from '../handlers/handler'
import { robotInterface } from '../handlers/robot-interface'
import { asFloat, Float64, renderJson } from '../../lib/codec/json'
import { encodeUbjson } from '../../lib/codec/ubjson'
import { startTimeout } from '../../lib/kernel/timers'
import { Kind, type TSchema } from '../../lib/typebox'
import type { Device } from '../device/device'
import { seededRandom, Refusal, refusalBody, cut } from '../values'
import { decodedBody, inputReader, type RawInput, uploadedFile, uploadedForm } from '../handlers/read-input'

/** One handler per operation; a missing one does not compile. */
const handlers = {
  ...globalNodes,
  ...pipelineNodes,
  ...pipelines,
  ...logs,
  ...system,
  ...network,
  ...time,
  ...license,
  ...firmware,
  ...backup,
  ...uiLock,
  ...dataStreams,
  ...templates,
  ...cad,
  ...robotInterface,
  ...userSpace,
} satisfies Handlers

const handlerOf = (id: OperationId) => handlers[id] as Handler<OperationId>

/** Longest body, in bytes, whose inputs are in the list of calls; for a longer one only the path parameters are. */
const longestListed = 4096

export interface RouteGeneric {
  Params: RawInput['params']
  Querystring: RawInput['query']
}

type Request = FastifyRequest<RouteGeneric>

export type Answering = (request: Request, reply: FastifyReply) => void

/**
 * Reads the input of an operation, executes it and sends the result. @param options `fixed` path parameters that are
 * not part of the path; `handle` replaces the operation's handler
 */
export function answering(
  id: OperationId,
  device: Device,
  answers: Answers,
  { fixed, handle = handlerOf(id) }: { fixed?: RawInput['params']; handle?: Handler<OperationId> } = {},
): Answering {
  const described = operation(id)
  const read = inputReader(described)
  const upload = uploadReader(described.body)
  const mark = floatMarker(described.result)

  return (request, reply) => {
    let input: Record<string, unknown> = {}
    // As shown in the list of calls.
    let kept: Record<string, unknown> = {}
    const answer = (result: unknown) => {
      device.calls.add({ operation: id, input: kept, status: 200 })
      answers.send(request, reply, 200, mark ? mark(result) : result)
    }
    const fail = (error: unknown) => {
      const refusal = error instanceof Refusal ? error : broken(error, device)
      device.calls.add({ operation: id, input: kept, status: refusal.status })
      answers.refuse(request, reply, refusal)
    }
    const carryOut = (body: unknown) => {
      const { query } = request
      const params = fixed ? { ...request.params, ...fixed } : request.params
      input = read({ params, query, body })
      kept = ((request.body as Buffer | undefined)?.length ?? 0) > longestListed ? { ...params } : input
      if (described.offersFile && prefersFile(request.headers.accept)) input.format = 'file'
      const result: unknown = upload
        ? upload(request).then((fields) => handle(device, { ...input, ...fields }))
        : handle(device, input)
      // A write is answered only when it would survive a power failure.
      const saved = result instanceof Promise ? undefined : device.saved()
      if (result instanceof Promise) finish(result, device).then(answer, fail)
      else if (saved) saved.then(() => answer(result), fail)
      else answer(result)
    }
    try {
      const body = bodyOf(request, described.body?.encoding)
      if (body instanceof Promise) body.then(carryOut).catch(fail)
      else carryOut(body)
    } catch (error) {
      fail(error)
    }
  }
}

/** A file without a size limit is passed on as a stream. */
function uploadReader(body: Body | undefined): ((request: Request) => Promise<object>) | undefined {
  if (body?.encoding !== 'multipart') return undefined
  if (body.maxBytes !== undefined) return (request) => uploadedForm(request, body)
  return async (request) => ({ file: await uploadedFile(request) })
}

function bodyOf(request: Request, encoding: Body['encoding'] | undefined): unknown {
  const bytes = request.body as Buffer | undefined
  return bytes?.length ? decodedBody(bytes, request.headers, encoding) : undefined
}

async function finish(result: Promise<unknown>, device: Device): Promise<unknown> {
  const finished = await result
  await device.saved()
  return finished
}

function broken(error: unknown, device: Device): Refusal {
  const reason = error instanceof Error ? error.message : String(error)
  device.note('ERROR', `internal error: ${reason}`)
  return new Refusal(500, `internal error: ${reason}`)
}

const plain = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }

const json = { ...headers, ...plain }

const ubjson = { ...headers, 'content-type': 'application/ubjson' }

const file = { ...headers, 'content-type': 'application/octet-stream' }

const text = { ...headers, 'content-type': 'text/plain; charset=utf-8' }

const rendered = new WeakMap<object, string>() // cache of rendered frozen objects, which cannot change

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

/** Without an answer: the client sees a reset. */
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

type Format = 'json' | 'ubjson'

/** The format preferred by an Accept header; JSON if it leaves the choice, or names neither. */
export function negotiate(accept: string | undefined): Format {
  if (accept === undefined || !/ubjson/i.test(accept)) return 'json'
  const qualityOf = qualities(accept)
  return qualityOf('application/ubjson') > qualityOf('application/json') ? 'ubjson' : 'json'
}

/** An Accept header prefers the file itself to its record. */
function prefersFile(accept: string | undefined): boolean {
  if (accept === undefined || !/octet-stream/i.test(accept)) return false
  const qualityOf = qualities(accept)
  const others = ['application/json', 'application/ubjson'].map(qualityOf)
  return qualityOf('application/octet-stream') > Math.max(...others)
}

function qualities(accept: string): (type: string) => number {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  // The most specific matching range applies.
  return (type) =>
    [type, 'application/*', '*/*']
      .map((fitting) => ranges.find((range) => range.type === fitting)?.quality)
      .find((quality) => quality !== undefined) ?? 0
}

type Mark = (value: unknown) => unknown

/**
 * Marks the numbers of a value that its schema does not declare as integers, so that they are printed with a decimal
 * point. @returns undefined for a schema without such numbers
 */
function floatMarker(schema: TSchema): Mark | undefined {
  switch (schema[Kind]) {
    case 'Number':
      return (value) => (typeof value === 'number' ? asFloat(value) : value)
    case 'Array': {
      const mark = floatMarker(schema.items as TSchema)
      return mark && ((value) => (Array.isArray(value) ? value.map(mark) : value))
    }
    case 'Object': {
      const marks = Object.entries(schema.properties as Record<string, TSchema>).flatMap(([key, field]) => {
        const mark = floatMarker(field)
        return mark ? [[key, mark] as const] : []
      })
      return marks.length ? (value) => markedFields(value, marks) : undefined
    }
    default:
      return undefined
  }
}

function markedFields(value: unknown, marks: readonly (readonly [string, Mark])[]): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return value
  const marked: Record<string, unknown> = { ...value }
  for (const [key, mark] of marks) if (key in marked) marked[key] = mark(marked[key])
  return marked
}

type Reception = 'handle' | 'reset' | 'starting' | { retryAfter: number }

interface Departure {
  reset: boolean
  delay: number
}

/** The effects of the scenario on requests and answers of any kind. */
export class Faults {
  private readonly random: () => number
  private allowance = 0
  private countedAt = -Infinity

  constructor(private readonly device: Device) {
    this.random = seededRandom(device.options.seed)
  }

  receive(): Reception {
    const { offline, drop_connections, rate_limit } = this.device.scenario
    const phase = this.device.phase
    if (offline || phase === 'gone' || this.happens(drop_connections)) return 'reset'
    if (phase === 'front') return 'starting'
    return rate_limit > 0 ? this.counted(rate_limit) : 'handle'
  }

  leave(): Departure {
    const { offline, drop_answers, latency_ms, latency_jitter_ms } = this.device.scenario
    const delay = latency_jitter_ms > 0 ? latency_ms + latency_jitter_ms * this.random() : latency_ms
    return { reset: offline || this.happens(drop_answers), delay }
  }

  private happens(share: number): boolean {
    return share > 0 && this.random() < share
  }

  /** @param limit requests per second, which may all arrive at once */
  private counted(limit: number): Reception {
    const now = this.device.clock.now()
    const most = Math.max(1, limit)
    this.allowance = Math.min(most, this.allowance + (now - this.countedAt) * limit)
    this.countedAt = now
    if (this.allowance < 1) return { retryAfter: Math.max(1, Math.ceil((1 - this.allowance) / limit)) }
    this.allowance -= 1
    return 'handle'
  }
}

/** The faults do not affect the scenario itself, which is outside the API. */
export const ofApi = (url: string): boolean => url.startsWith('/api')
