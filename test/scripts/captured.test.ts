import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import should from 'should'
import { root } from '../support/root'

interface Captured {
  status: number | null
  output: string
  seconds: number
}
type Capture = (
  command: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
  within?: number,
) => Promise<Captured>

/** Starts a program that only keeps a connection, and waits for ever. */
const hangs = (port: number) => `
  const { spawn } = require('node:child_process')
  spawn(process.execPath, ['-e', "require('node:net').connect(${String(port)}, '127.0.0.1')"], { stdio: 'inherit' })
  setInterval(() => {}, 1000)`

describe('a program whose output is captured', () => {
  let captured: Capture
  before(async () => {
    const script = pathToFileURL(join(root, 'scripts', 'captured.mjs')).href
    ;({ captured } = (await import(script)) as { captured: Capture })
  })

  it('tells its status and what it printed', async () => {
    const { status, output } = await captured(process.execPath, [
      '-e',
      'console.log("told"); process.exit(3)',
    ])
    should(status).equal(3)
    output.should.equal('told\n')
  })

  it('tells that it is not there', async () => {
    const { status, output } = await captured(join(root, 'no-such-program'), [])
    should(status).not.equal(0)
    output.should.match(/ENOENT/)
  })

  it('is ended with all that it has started when it hangs, and says so', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const running = captured(process.execPath, ['-e', hangs(port)], process.env, 5)
    const [started] = (await once(server, 'connection')) as [Socket]
    const gone = once(started.on('error', () => undefined).resume(), 'close')
    const { status, output } = await running
    should(status).be.null()
    output.should.match(/still running after 5 s: it was ended/)
    await gone
    server.close()
  })
})
