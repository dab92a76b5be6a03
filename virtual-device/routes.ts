import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { basePath, operation, operationIds, type OperationId } from '../lib/contract'
import type { Answers } from './answer'
import { decodedBody } from './decode-body'
import type { Device } from './device'
import { handlerOf } from './handlers'
import { floatMarker } from './mark-floats'
import { inputReader, type RawInput } from './read-input'
import { Refusal } from './refusal'

type Request = FastifyRequest<{ Params: RawInput['params']; Querystring: RawInput['query'] }>

/** A route for each operation of the contract that this variant of the device has. */
export function addRoutes(app: FastifyInstance, device: Device, answers: Answers): void {
  for (const id of operationIds) {
    const { method, path, variants } = operation(id)
    if (variants && !variants.includes(device.variant)) continue
    const url = basePath + path.replace(/\{(\w+)\}/g, ':$1')
    app.route({ method, url, handler: answering(id, device, answers) })
  }
}

function answering(id: OperationId, device: Device, answers: Answers) {
  const described = operation(id)
  const read = inputReader(described)
  const handle = handlerOf(id)
  const mark = floatMarker(described.result)

  return (request: Request, reply: FastifyReply): void => {
    let input: Record<string, unknown> = {}
    const answer = (result: unknown) => {
      device.handled({ operation: id, input, status: 200 })
      answers.send(request, reply, 200, mark ? mark(result) : result)
    }
    const fail = (error: unknown) => {
      const refusal = error instanceof Refusal ? error : broken(error, device)
      device.handled({ operation: id, input, status: refusal.status })
      answers.refuse(request, reply, refusal)
    }
    try {
      const { params, query } = request
      const bytes = request.body as Buffer | undefined
      const body = bytes?.length ? decodedBody(bytes, request.headers, described.body?.encoding) : undefined
      input = read({ params, query, body })
      const result: unknown = handle(device, input)
      // Who is told that a write is done finds it after a power failure too.
      const saved = result instanceof Promise ? undefined : device.saved()
      if (result instanceof Promise) finish(result, device).then(answer, fail)
      else if (saved) saved.then(() => answer(result), fail)
      else answer(result)
    } catch (error) {
      fail(error)
    }
  }
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
