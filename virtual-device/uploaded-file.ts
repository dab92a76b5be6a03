import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { wrongType } from './decode-body'
import { Refusal } from './refusal'
import { cut } from './shown'

/**
 * The file of a multipart form, to be read as it comes.
 * @throws Refusal 400 for a form without the field `file`, 415 for a body that is no such form
 */
export async function uploadedFile(request: FastifyRequest): Promise<Readable> {
  if (!request.isMultipart()) {
    if ((request.body as Buffer | undefined)?.length)
      throw wrongType(request.headers['content-type'] ?? '', 'multipart')
    throw new Refusal(400, 'file: missing')
  }
  const part = await request.file({ limits: { fileSize: Infinity } }).catch((error: unknown) => {
    throw new Refusal(400, `the form cannot be read: ${cut((error as Error).message, 100)}`)
  })
  if (part?.fieldname === 'file') return part.file
  part?.file.resume()
  throw new Refusal(400, 'file: missing')
}
