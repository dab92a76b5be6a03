import { createServer, request, type IncomingMessage } from 'node:http'
import { listening, type Listening } from '../listening'

/** Request or answer lost with the connection, answer withheld, or no such resource. */
export type AnswerFate = 'pass' | 'lose request' | 'lose answer' | 'hold answer' | 'absent'

/** Decides about each request. @param change answer of older firmware, as JSON */
export function startAnswerProxy(
  target: () => string,
  fateOf: (request: IncomingMessage) => AnswerFate,
  change?: (answer: string) => string,
): Promise<Listening> {
  const server = createServer((asked, answer) => {
    const fate = fateOf(asked)
    if (fate === 'absent') {
      answer.writeHead(404, { 'content-type': 'application/json' })
      return answer.end('{}')
    }
    if (fate === 'lose request') return asked.socket.destroy()
    const { method, headers, url: path = '' } = asked
    // A kept connection would end with the device.
    const onward = request(new URL(path, target()), { method, headers, agent: false }, (found) => {
      if (fate === 'lose answer') {
        return found.resume().on('end', () => asked.socket.destroy())
      }
      if (fate === 'hold answer') return found.resume()
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
  })
  return listening(server)
}
