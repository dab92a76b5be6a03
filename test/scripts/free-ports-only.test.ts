import { once } from 'node:events'
import { createServer, Server } from 'node:net'
import { Worker } from 'node:worker_threads'
import should from 'should'
import { mustBeFree } from '../support/free-ports-only'

describe('the ports of the tests', () => {
  it('are no default ports', () => {
    for (const port of [0, 34_567, undefined]) mustBeFree(port)
    for (const port of [50_051, 7_100, 8_080, 1_502, 502])
      should(() => mustBeFree(port)).throw(/must not listen on/)
    Server.prototype.listen.name.should.equal('listenFree')
    const server = createServer()
    should(() => server.listen(50_051)).throw(/the default port of images/)
    should(() => server.listen({ port: 7_100, host: '127.0.0.1' })).throw(/robot interface/)
  })

  it('are no default ports in a thread either', async () => {
    const code =
      "require('node:worker_threads').parentPort.postMessage(require('node:net').Server.prototype.listen.name)"
    const worker = new Worker(code, { eval: true })
    const [name] = (await once(worker, 'message')) as [string]
    name.should.equal('listenFree')
    await worker.terminate()
  })
})
