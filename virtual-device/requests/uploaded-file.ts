import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { wrongType } from './decode-body'
import { Refusal } from '../refusal'
import { cut } from '../shown'

/**
 * The file of a multipart form, as a stream.
 * @throws Refusal 400 for a form without the field `file`, 415 for a body that is not such a form
 */
export async function uploadedFile(request: FastifyRequest): Promise<Readable> {
  assertForm(request)
  const part = await request.file({ limits: { fileSize: Infinity } }).catch((error: unknown) => {
    throw unreadableForm(error)
  })
  if (part?.fieldname === 'file') return part.file
  part?.file.resume()
  throw new Refusal(400, 'file: missing')
}

/** @throws Refusal 400 without a body, 415 for a body that is not a form with files */
export function assertForm(request: FastifyRequest): void {
  if (request.isMultipart()) return
  if ((request.body as Buffer | undefined)?.length)
    throw wrongType(request.headers['content-type'] ?? '', 'multipart')
  throw new Refusal(400, 'file: missing')
}

export const unreadableForm = (error: unknown): Refusal =>
  new Refusal(400, `the form cannot be read: ${cut((error as Error).message, 100)}`)
