import { connect } from 'node:net'
import { once } from 'node:events'

const connections = 8
/** In flight per connection. */
const ahead = 8

/** Answers per second on kept-alive, pipelined connections, so that the server is the limit. All answers must be equally long. */
export async function requestRate(port: number, path: string, seconds: number): Promise<number> {
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`
  const length = await answerLength(port, request)
  const ends = performance.now() + seconds * 1000
  const counts = await Promise.all(
    Array.from({ length: connections }, () => answersUntil(port, request, length, ends)),
  )
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

async function answerLength(port: number, request: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request.replace('\r\n\r\n', '\r\nconnection: keep-alive\r\n\r\n'))
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  if (!first.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error('the server did not answer 200')
  return first.length
}

function answersUntil(port: number, request: string, length: number, ends: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0
    let sent = ahead
    const socket = connect(port, '127.0.0.1', () => socket.write(request.repeat(ahead)))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      bytes += chunk.length
      const answered = Math.floor(bytes / length)
      if (performance.now() >= ends) {
        socket.destroy()
        resolve(answered)
        return
      }
      const more = answered + ahead - sent
      if (more > 0) {
        sent += more
        socket.write(request.repeat(more))
      }
    })
  })
}
