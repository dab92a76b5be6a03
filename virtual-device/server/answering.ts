import type { FastifyReply, FastifyRequest } from 'fastify'
import { operation, type Body, type OperationId } from '../../lib/contract'
import type { Answers } from './answer'
import { decodedBody } from '../requests/decode-body'
import type { Device } from '../device/device'
import { handlerOf } from '../handlers'
import type { Handler } from '../handlers/handler'
import { floatMarker } from './mark-floats'
import { prefersFile } from './negotiate'
import { inputReader, type RawInput } from '../requests/read-input'
import { Refusal } from '../refusal'
import { uploadedFile } from '../requests/uploaded-file'
import { uploadedForm } from '../requests/uploaded-form'

/** Longest body, in bytes, whose inputs are in the list of calls; for a longer one only the path parameters are. */
const longestKept = 4096

export interface RouteGeneric {
  Params: RawInput['params']
  Querystring: RawInput['query']
}
type Request = FastifyRequest<RouteGeneric>
export type Answering = (request: Request, reply: FastifyReply) => void

/**
 * Reads the input of an operation, executes it and sends the result.
 * @param options `fixed` path parameters that are not part of the path; `handle` replaces the operation's handler
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
    // The input as shown in the list of calls.
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
      kept = ((request.body as Buffer | undefined)?.length ?? 0) > longestKept ? { ...params } : input
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
