import { encodeUbjson, decodeUbjson } from '../../../lib/codec/ubjson'
import { basePath, operation, type OperationId } from '../../../lib/contract'
import { send, type SentRequest } from './use-device'

export type Format = 'json' | 'ubjson'
export const typeOf: Readonly<Record<Format, string>> = {
  json: 'application/json',
  ubjson: 'application/ubjson',
}

type InputValues = Readonly<Record<string, unknown>>

interface Answered {
  status: number
  headers: Headers
  /** Decoded from the requested format; the test fails if it arrives in another one. */
  body: unknown
}

/**
 * Sends an operation's request as the contract describes it: its input in path, query and body, independently of how
 * the client reads the same contract.
 */
export async function ask(
  device: string,
  id: OperationId,
  input: InputValues,
  format: Format,
): Promise<Answered> {
  const accept = { accept: typeOf[format] }
  const { headers, ...sent } = sentBody(id, input, format)
  const got = await send(operation(id).method, device + address(id, input), {
    ...sent,
    headers: { ...accept, ...headers },
  })
  const type = got.headers.get('content-type') ?? ''
  if (!type.startsWith(typeOf[format])) throw new Error(`asked for ${format}, got ${type}`)
  const body = format === 'json' ? got.body : decodeUbjson(got.bytes)
  return { status: got.status, headers: got.headers, body }
}

/** Path and query. */
export function address(id: OperationId, input: InputValues): string {
  const { path, query = {} } = operation(id)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(input[name])))
  const pairs = Object.keys(query).flatMap((name) =>
    [input[name] ?? []].flat().map((value) => [name, text(value)]),
  )
  return `${basePath}${filled}${pairs.length ? `?${new URLSearchParams(pairs).toString()}` : ''}`
}

const text = (value: unknown) => String(value)

function sentBody(id: OperationId, input: InputValues, format: Format): SentRequest {
  const { body } = operation(id)
  if (!body) return {}
  const fields = Object.keys(body.fields).filter((name) => input[name] !== undefined)
  switch (body.encoding) {
    case 'json': {
      const content = body.bare
        ? input[fields[0] ?? '']
        : Object.fromEntries(fields.map((name) => [name, input[name]]))
      return {
        body: format === 'json' ? JSON.stringify(content) : new Uint8Array(encodeUbjson(content)),
        headers: { 'content-type': typeOf[format] },
      }
    }
    case 'form':
      return {
        body: new URLSearchParams(fields.map((name) => [name, text(input[name])])).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }
    case 'multipart': {
      const form = new FormData()
      for (const name of fields) {
        const value = input[name]
        if (value instanceof Uint8Array) form.set(name, new Blob([new Uint8Array(value)]), 'file')
        else form.set(name, text(value))
      }
      return { body: form }
    }
  }
}
