import { appendFile, mkdir, mkdtemp, open, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createPlainServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import should from 'should'
import { createClient } from '../../lib'
import { listening } from '../support/listening'
import { json, reply } from '../support/misbehaving-server'
import { startRefusingDevice } from '../support/refusing-device'
import { testCertificate } from '../support/test-certificate'
import { failureOf, useServer } from './use-server'

/** The one part of a multipart body, as read by the platform's own parser. */
async function partOf(headers: Record<string, unknown>, body: Buffer): Promise<File> {
  const type = String(headers['content-type'])
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  Array.from(form.keys()).should.eql(['file'])
  return form.get('file') as File
}

/** Resolves when this process no longer has the file open; at once if the system does not show that. */
async function closed(file: string): Promise<void> {
  const open = await readdir('/proc/self/fd').catch(() => [])
  const files = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  if (files.includes(file)) return closed(file)
}

describe('an upload', () => {
  const bench = useServer()
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upload-'))
  })
  after(() => rm(folder, { recursive: true }))

  const fileOf = async (name: string, content: string | Buffer) => {
    const path = join(folder, name)
    await writeFile(path, content)
    return path
  }

  for (const [what, content] of [
    ['bytes', Buffer.from([0, 255, 13, 10, 45, 45])],
    ['nothing', Buffer.alloc(0)],
    ['much', Buffer.alloc(1_500_000, 'abc\r\n--')],
  ] as const) {
    it(`arrives unchanged, from a file and from memory: ${what}`, async () => {
      bench.server.behave(json({}))
      const client = bench.client()
      await client.uploadFirmware({ file: await fileOf('image.raucb', content) })
      await client.uploadFirmware({ file: content })
      await client.uploadFirmware({ file: new Uint8Array(content) })
      for (const { headers, body } of bench.server.received) {
        should(headers['content-length']).equal(String(body.length))
        const part = await partOf(headers, body)
        Buffer.from(await part.arrayBuffer())
          .equals(content)
          .should.be.true()
      }
      bench.server.received.should.have.length(3)
    })
  }

  it('carries the name of the file, whatever it contains', async () => {
    bench.server.behave(json({}))
    const client = bench.client()
    for (const name of ['plain.lic', 'a"b\r\nX-Evil: 1.lic', 'ä é 𝄞.lic', "q'; name=x"]) {
      await client.uploadLicense({ file: await fileOf(name, 'x') })
      const request = bench.server.received.at(-1)
      const part = await partOf(request?.headers ?? {}, request?.body ?? Buffer.alloc(0))
      decodeURIComponent(part.name).should.equal(name)
      should(request?.body.toString()).not.containEql('\nX-Evil')
    }
  })

  it('reports its progress up to the end', async () => {
    bench.server.behave(json({}))
    const told: { sent: number; total: number }[] = []
    const file = Buffer.alloc(1_000_000)
    await bench.client().uploadFirmware({ file }, { onProgress: (progress) => told.push(progress) })
    told.length.should.be.above(2)
    told.map(({ sent }) => sent).should.eql(told.map(({ sent }) => sent).sort((a, b) => a - b))
    should(told.at(-1)).eql({ sent: file.length, total: file.length })
  })

  it('is sent again as a whole after 429', async () => {
    bench.server.behave(reply(429), json({}))
    await bench.client().uploadLicense({ file: await fileOf('again.lic', 'license') })
    const [first, second] = bench.server.received
    should(second?.body).eql(first?.body)
  })

  it('may take longer than other calls', async () => {
    bench.server.behave((response) => setTimeout(() => response.end('{}'), 300))
    await bench.client({ deadline: 100 }).uploadLicense({ file: Buffer.from('x') })
  })

  it('of a file that cannot be read is refused before anything is sent', async () => {
    await mkdir(join(folder, 'folder'))
    for (const file of [join(folder, 'missing'), join(folder, 'folder'), '', 7]) {
      const failure = await failureOf(bench.client().request('uploadLicense', { file }))
      failure.code.should.equal('INVALID_INPUT')
      failure.message.should.containEql(file === 7 || file === '' ? 'path of a file' : String(file))
    }
    bench.server.received.should.be.empty()
  })

  it('of a file that changes meanwhile fails, and the device gets no complete body', async () => {
    const file = await fileOf('growing', 'x')
    bench.server.behave(
      (response) => void appendFile(file, 'y').then(() => response.writeHead(429).end()),
      json({}),
    )
    const failure = await failureOf(bench.client().uploadLicense({ file }))
    failure.code.should.equal('INVALID_INPUT')
    failure.message.should.containEql(file)
    bench.server.received.should.have.length(1)
  })

  it('can be aborted in the middle, and leaves neither file nor connection open', async () => {
    const controller = new AbortController()
    const file = await fileOf('large', Buffer.alloc(20_000_000))
    const stop = { onProgress: () => controller.abort(), signal: controller.signal }
    ;(await failureOf(bench.client().uploadFirmware({ file }, stop))).code.should.equal('ABORTED')
    await bench.server.deserted()
    bench.server.received.should.be.empty()
    await closed(file)
  })

  it('fails long before its deadline if the device stops accepting data', async () => {
    const server = await listening(createPlainServer((socket) => socket.pause()))
    const client = createClient({ address: server.url })
    const told: number[] = []
    const onProgress = ({ sent }: { sent: number }) => told.push(sent)
    const file = Buffer.alloc(50_000_000)
    const failure = await failureOf(client.uploadFirmware({ file }, { stall: 200, onProgress }))
    failure.code.should.equal('OUTCOME_UNKNOWN')
    failure.message.should.containEql('no more data for 200 ms')
    should(told.at(-1)).be.below(file.length)
    await client.close()
    await server.stop()
  })

  it('does not count as stalled while the device works on it, or the caller on its progress', async () => {
    bench.server.behave((response) => setTimeout(() => response.end('{}'), 400))
    const onProgress = () => wait(200)
    await bench.client({ uploadStall: 100 }).uploadFirmware({ file: Buffer.alloc(300_000) }, { onProgress })
  })

  it('does not reach its end before the progress callback of its last part has finished', async () => {
    bench.server.behave(json({}))
    let arrivedBefore: number | undefined
    const onProgress = async ({ sent, total }: { sent: number; total: number }) => {
      if (sent < total) return
      await wait(50)
      arrivedBefore = bench.server.received.length
    }
    await bench.client().uploadFirmware({ file: Buffer.alloc(1_000_000) }, { onProgress })
    should(arrivedBefore).equal(0)
    bench.server.received.should.have.length(1)
  })

  it('with a failing progress callback ends at once, with the error thrown', async () => {
    const thrown = new TypeError('no room')
    for (const onProgress of [
      () => {
        throw thrown
      },
      () => Promise.reject(thrown),
    ]) {
      const call = bench.client().uploadLicense({ file: Buffer.alloc(1e6) }, { onProgress })
      const caught = await call.then(
        () => 'nothing',
        (error: unknown) => error,
      )
      should(caught).equal(thrown)
    }
    bench.server.received.should.be.empty()
    await bench.server.deserted()
  })

  for (const tls of [undefined, testCertificate])
    it(`refused before its end reports why, even if the device has gone before its answer was read${tls ? ', with TLS' : ''}`, async () => {
      const device = await startRefusingDevice(tls)
      const client = createClient({ address: device.url, tls: { ca: tls?.cert } })
      let waited = false
      // Nothing is read in the meantime: the answer has arrived, and the next part meets a reset connection.
      const onProgress = () => {
        if (!waited) device.waitForReset()
        waited = true
      }
      try {
        const failure = await failureOf(
          client.uploadFirmware({ file: Buffer.alloc(5_000_000) }, { onProgress }),
        )
        failure.code.should.equal('TOO_LARGE')
      } finally {
        await client.close()
        await device.stop()
      }
    })

  it('takes the same memory for any size', async () => {
    const size = 200_000_000
    const path = join(folder, 'huge')
    const handle = await open(path, 'w')
    await handle.truncate(size)
    await handle.close()
    let arrived = 0
    const server = await listening(
      createServer((request, response) => {
        request.on('data', (chunk: Buffer) => (arrived += chunk.length))
        request.on('end', () => response.end('{}'))
      }),
    )
    const client = createClient({ address: server.url })
    const before = process.memoryUsage.rss()
    let most = before
    await client.uploadFirmware(
      { file: path },
      { onProgress: () => (most = Math.max(most, process.memoryUsage.rss())) },
    )
    arrived.should.be.above(size)
    ;(most - before).should.be.below(100_000_000)
    await client.close()
    await server.stop()
  })
})
