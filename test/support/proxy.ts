import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of a request: it passes, its answer is lost on the way back, or the device has no such resource. */
export type Fate = 'pass' | 'lose answer' | 'absent'

export interface Proxy {
  url: string
  stop: () => Promise<void>
}

/**
 * Stands between client and device, on a free port of loopback.
 * @param change what older firmware would answer instead, as JSON
 */
export async function startProxy(
  target: () => string,
  fateOf: (request: IncomingMessage) => Fate,
  change?: (answer: string) => string,
): Promise<Proxy> {
  const server = createServer((asked, answer) => {
    const fate = fateOf(asked)
    if (fate === 'absent') {
      answer.writeHead(404, { 'content-type': 'application/json' })
      return answer.end('{}')
    }
    const { method, headers, url: path = '' } = asked
    const onward = request(new URL(path, target()), { method, headers }, (found) => {
      if (fate === 'lose answer') {
        return found.resume().on('end', () => asked.socket.destroy())
      }
      answer.writeHead(
        found.statusCode ?? 500,
        change ? { 'content-type': 'application/json' } : found.headers,
      )
      if (!change) return found.pipe(answer)
      const parts: Buffer[] = []
      return found
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => answer.end(change(Buffer.concat(parts).toString())))
    })
    onward.on('error', () => asked.socket.destroy())
    return asked.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
