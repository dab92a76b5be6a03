import helper from 'node-red-node-test-helper'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AdminAnswer {
  status: number
  headers: Headers
  body: unknown
}

interface Admin {
  get: (path: string, headers?: Record<string, string>, signal?: AbortSignal) => Promise<AdminAnswer>
  post: (path: string, body: unknown, init?: RequestInit) => Promise<AdminAnswer>
}

/** Routes of the editor over HTTP, as registered by the bench before it. */
export function useAdmin(): Admin {
  let server: Server
  before(async () => {
    server = createServer((request, response) => helper._httpAdmin(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
  return {
    get: (path, headers = {}, signal) => request(url(path), { headers, ...(signal && { signal }) }),
    post: (path, body, init) => request(url(path), jsonRequest(body, init)),
  }
}

export const jsonRequest = (body: unknown, { headers, ...init }: RequestInit = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
  body: JSON.stringify(body),
  ...init,
})

export async function request(url: string, init: RequestInit): Promise<AdminAnswer> {
  const response = await fetch(url, init)
  const { status, headers } = response
  const text = await response.text()
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '')
  return { status, headers, body: isJson ? (JSON.parse(text) as unknown) : text }
}
