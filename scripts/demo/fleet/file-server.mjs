import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'

/** One file, with ranges. */
export async function serveFile(file) {
  const { size } = statSync(file)
  const server = createServer((request, response) => {
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const start = Number(from ?? 0)
    const range = from === undefined ? {} : { 'content-range': `bytes ${start}-${size - 1}/${size}` }
    response.writeHead(from === undefined ? 200 : 206, {
      ...{ 'content-length': size - start, 'accept-ranges': 'bytes', etag: '"v2.0.0"' },
      ...range,
    })
    createReadStream(file, { start }).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  return {
    host: `127.0.0.1:${port}`,
    artifact: {
      url: `http://127.0.0.1:${port}/v2.0.0.bin`,
      sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
      size,
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
