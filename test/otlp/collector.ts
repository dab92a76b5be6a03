import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LogRecord } from '../../lib/otlp/log-record'

/** A request as a collector receives it. */
export interface ReceivedRequest {
  path: string
  headers: Record<string, unknown>
  body: {
    resourceLogs: {
      resource: { attributes: { key: string; value: object }[] }
      scopeLogs: { scope: object; logRecords: LogRecord[] }[]
    }[]
  }
}

export interface TestCollector {
  url: string
  requests: ReceivedRequest[]
  /** Answers the next requests; the last one goes on. */
  answers: ((response: ServerResponse) => void)[]
  /** All records so far, of those requests that were answered with 200. */
  records: () => LogRecord[]
  away: () => Promise<void>
  back: () => Promise<void>
}

export const ok =
  (body = '{}') =>
  (response: ServerResponse) =>
    void response.end(body)
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('{}')
/** Reads the request and ends the connection without an answer. */
export const cut = (response: ServerResponse) => void response.destroy()
export const silent = () => undefined

/** An HTTP server on 127.0.0.1 that behaves as told. */
export async function startCollector(): Promise<TestCollector> {
  const requests: ReceivedRequest[] = []
  const taken: ReceivedRequest[] = []
  const answers: TestCollector['answers'] = []
  let server: Server
  let port = 0
  const back = async () => {
    server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        const { url: path = '', headers } = request
        const received = { path, headers, body: JSON.parse(text) as ReceivedRequest['body'] }
        requests.push(received)
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? ok()
        answer(response)
        if (response.statusCode === 200 && response.writableEnded) taken.push(received)
      })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  await back()
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answers,
    records: () => taken.flatMap(recordsOf),
    away: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    back,
  }
}

export const recordsOf = ({ body }: ReceivedRequest): LogRecord[] =>
  body.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))

export const textsOf = (records: readonly LogRecord[]): string[] =>
  records.map(({ body }) => ('stringValue' in body ? body.stringValue : ''))

/** The value of an attribute. */
export const attribute = ({ attributes }: LogRecord, key: string): unknown =>
  Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0]
