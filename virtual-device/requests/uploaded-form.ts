import type { FastifyRequest } from 'fastify'
import type { Body } from '../../lib/contract'
import { checkedField } from '../device/check-field'
import { convertedQuery } from './convert-query'
import { Refusal } from '../refusal'
import { assertForm, unreadableForm } from './uploaded-file'

/** A file of bounded size. */
export interface UploadedBytes {
  /** File name given by the sender. */
  name: string
  bytes: Buffer
}

/**
 * The file and the other fields of a multipart form, in any order, in memory.
 * @throws Refusal 400 for a missing or invalid field, 413 for a file that is too large, 415 for a body that is not a
 * form
 */
export async function uploadedForm(
  request: FastifyRequest,
  { fields, maxBytes = Infinity }: Body,
): Promise<Record<string, unknown>> {
  assertForm(request)
  const texts = new Map<string, string>()
  let file: UploadedBytes | undefined
  let length = 0
  try {
    const limits = { fileSize: Infinity, fieldSize: 1000, fields: 100, files: 10 }
    for await (const part of request.parts({ limits }))
      if (part.type === 'field') texts.set(part.fieldname, String(part.value))
      else {
        const chunks: Buffer[] = []
        // Read to the end even if it is too large, because many clients read the answer only then.
        for await (const chunk of part.file as AsyncIterable<Buffer>) {
          length += chunk.length
          if (length <= maxBytes) chunks.push(chunk)
          else chunks.length = 0
        }
        if (part.fieldname === 'file') file ??= { name: part.filename, bytes: Buffer.concat(chunks) }
      }
  } catch (error) {
    throw unreadableForm(error)
  }
  if (length > maxBytes) throw new Refusal(413, `the file is longer than ${maxBytes} bytes`)
  if (!file) throw new Refusal(400, 'file: missing')
  const others = Object.entries(fields).filter(([name]) => name !== 'file')
  const values = others.map(([name, schema]): [string, unknown] => [
    name,
    checkedField(name, schema, convertedQuery(name, schema, texts.get(name))),
  ])
  return { ...Object.fromEntries(values.filter(([, value]) => value !== undefined)), file }
}
