import { createServer, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { listening, type Listening } from '../listening'

export interface Real {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export type Alteration = (response: ServerResponse, real: Real) => void

export interface AlteringProxy extends Listening {
  /** For a request such as `GET /api/v2/system`; undefined: none. */
  alter: (asked?: string, alteration?: Alteration) => void
  /** Since the last call, without duplicates. */
  requests: () => string[]
}

/** The device executes everything; the proxy alters the answers. */
export async function startAlteringProxy(target: string): Promise<AlteringProxy> {
  let altered: { requests?: string | undefined; alteration?: Alteration | undefined } = {}
  let asked = new Set<string>()
  const server = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming
    const what = `${method ?? ''} ${url.replace(/\?.*/, '')}`
    asked.add(what)
    const onward = request(new URL(url, target), { method, headers }, (found) => {
      const parts: Buffer[] = []
      found.on('data', (part: Buffer) => parts.push(part))
      found.on('end', () => {
        const real = { status: found.statusCode ?? 500, headers: found.headers, body: Buffer.concat(parts) }
        if (altered.alteration && altered.requests === what) altered.alteration(response, real)
        else response.writeHead(real.status, real.headers).end(real.body)
      })
    })
    onward.on('error', () => incoming.socket.destroy())
    incoming.pipe(onward)
  })
  return {
    ...(await listening(server)),
    alter: (what, alteration) => {
      altered = { requests: what, alteration }
    },
    requests: () => {
      const recorded = [...asked]
      asked = new Set()
      return recorded
    },
  }
}
