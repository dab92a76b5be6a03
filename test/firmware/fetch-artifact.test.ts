import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import should from 'should'
import { fetchArtifact } from '../../lib/firmware'
import { smallDisk } from '../support/damages'
import { useFolder } from '../virtual-device/support/temporary-folder'

const content = Buffer.alloc(300_000, 'firmware ')
const sha256 = createHash('sha256').update(content).digest('hex')

describe('an artifact that is fetched', () => {
  const folder = useFolder()
  let server: Server
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let ranges: (string | undefined)[]
  beforeEach(async () => {
    ranges = []
    server = createServer((request, response) => {
      ranges.push(request.headers.range)
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const whole = (_: IncomingMessage, response: ServerResponse) => void response.end(content)
  const get = (more: object = {}, options: object = {}) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.bin`
    const artifact = { url, sha256, size: content.length, ...more }
    return fetchArtifact(artifact, folder.path('a.bin'), {
      signal: new AbortController().signal,
      patience: 5,
      ...options,
    })
  }
  const isThere = () => existsSync(folder.path('a.bin'))

  it('has its name only when it is whole and right, and is not fetched again', async () => {
    answer = whole
    const shares: number[] = []
    await get({}, { onProgress: (share: number) => shares.push(share) })
    readFileSync(folder.path('a.bin')).equals(content).should.equal(true)
    should(shares.at(-1)).equal(1)
    await get()
    should(ranges).have.length(1)
  })

  it('begins anew at a server without ranges', async () => {
    writeFileSync(folder.path('a.bin.part'), content.subarray(0, 1000))
    answer = whole
    await get()
    should(ranges).deepEqual(['bytes=1000-'])
    readFileSync(folder.path('a.bin')).equals(content).should.equal(true)
  })

  it('begins anew where the part on disk is of another file', async () => {
    writeFileSync(folder.path('a.bin.part'), Buffer.alloc(content.length))
    answer = whole
    await get()
    should(ranges).deepEqual([undefined])
    should(isThere()).equal(true)
  })

  it('is asked for again while the server has trouble', async () => {
    answer = (request, response) => {
      if (ranges.length > 2) whole(request, response)
      else response.writeHead(503).end()
    }
    await get()
    should(ranges).have.length(3)
  })

  for (const [what, respond, more] of [
    ['is missing', (_, response) => void response.writeHead(404).end(), {}],
    ['is another one', whole, { sha256: '0'.repeat(64) }],
    ['is longer than announced', whole, { size: 1000 }],
    ['is shorter than announced', whole, { size: content.length + 1 }],
    ['is elsewhere', (_, response) => void response.writeHead(302, { location: '/b' }).end(), {}],
  ] satisfies [string, typeof answer, object][])
    it(`is refused if it ${what}`, async () => {
      answer = respond
      await get(more).should.be.rejectedWith({ code: 'INVALID_INPUT' })
      should(isThere()).equal(false)
    })

  describe('from a server that never gets to its end', () => {
    /** @returns what went wrong, and after how many seconds */
    const failure = async (patience: number) => {
      const began = performance.now()
      const error: unknown = await get({}, { patience }).catch((problem: unknown) => problem)
      return { error, after: performance.now() - began }
    }
    const rangeOf = ({ headers }: IncomingMessage) =>
      Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)

    for (const knowsRanges of [true, false])
      it(`is given up after the patience if the last byte is always missing, ${knowsRanges ? 'with' : 'without'} ranges`, async () => {
        answer = (request, response) => {
          const from = knowsRanges ? rangeOf(request) : 0
          response.writeHead(from > 0 ? 206 : 200, {
            'content-length': content.length - from,
            ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
          })
          response.flushHeaders()
          response.write(content.subarray(from, -1), () => setImmediate(() => response.destroy()))
        }
        const { error, after } = await failure(4)
        should(error).match({ code: 'BAD_REPLY', message: /of 300000 bytes/ })
        after.should.be.aboveOrEqual(3990)
        should(isThere()).equal(false)
      })

    it('is given up after the patience if it comes byte by byte', async () => {
      const dripping: NodeJS.Timeout[] = []
      answer = (_, response) => {
        response.writeHead(200, { 'content-length': content.length })
        let at = 0
        dripping.push(setInterval(() => response.write(content.subarray(at, ++at)), 20))
      }
      try {
        const { error, after } = await failure(1)
        should(error).match({ code: 'TIMEOUT', message: /too slowly/ })
        after.should.be.aboveOrEqual(990)
      } finally {
        for (const timer of dripping) clearInterval(timer)
      }
    })
  })

  it('is refused at once for a disk that is full, and leaves the room to others', async function () {
    const disk = smallDisk()
    // Not every computer lets a test have a disk.
    if (!disk) return this.skip()
    try {
      const large = Buffer.alloc(3_000_000, 'firmware ')
      answer = (_, response) => void response.end(large)
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.bin`
      const artifact = { url, sha256, size: large.length }
      await fetchArtifact(artifact, join(disk.folder, 'a.bin'), {
        signal: new AbortController().signal,
        patience: 600,
      }).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /ENOSPC/ })
      should(ranges).deepEqual([undefined])
      statSync(join(disk.folder, 'a.bin.part')).size.should.equal(0)
    } finally {
      disk.remove()
    }
  })

  it('is given up after a time without a byte', async () => {
    answer = (_, response) => void response.destroy()
    await get({}, { patience: 0.5 }).should.be.rejectedWith({ code: 'UNREACHABLE' })
  })

  it('ends at once when it is aborted', async () => {
    const ending = new AbortController()
    answer = () => ending.abort()
    await get({}, { signal: ending.signal }).should.be.rejectedWith({ code: 'ABORTED' })
  })
})
