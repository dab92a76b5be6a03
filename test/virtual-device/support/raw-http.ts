import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
  json: unknown
}

/** Seconds that an answer takes on a busy machine. */
const longest = 60

/**
 * Sends one request byte by byte as written here, over a connection of its own: no library adds or corrects anything.
 * Rejects with the socket's error if the connection fails.
 */
export function raw(
  url: string,
  request: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url)
  const lines = Object.entries({ Host: host, Connection: 'close', ...headers })
  const head = [`${request} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}\r\n\r\n${body}`)
    })
    socket.setTimeout(1000 * longest, () => socket.destroy(new Error(`no answer within ${longest} s`)))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', (failed) => {
      if (!failed) resolve(parsed(Buffer.concat(chunks).toString()))
    })
  })
}

function parsed(answer: string): RawAnswer {
  // An interim answer asks for the body.
  const final = answer.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '')
  const [head = '', ...rest] = final.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
  const text = rest.join('\r\n\r\n')
  return {
    status: Number(first.split(' ')[1]),
    headers,
    text,
    get json() {
      return JSON.parse(text) as unknown
    },
  }
}
