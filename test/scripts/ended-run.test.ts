import { spawn, type ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import '../support/browser'
import { root } from '../support/root'

/** A test that keeps a connection, and opens a page that is never answered. */
const endless = (port: number) => `
  const { newProfile } = require(${JSON.stringify(join(__dirname, '..', 'support', 'browser'))})
  it('waits', async () => {
    require('node:net').connect(${String(port)}, '127.0.0.1')
    const page = await (await newProfile()).newPage()
    await page.goto('http://127.0.0.1:${String(port)}/', { timeout: 0 })
  })`

describe('a run of tests with a browser', () => {
  let folder: string
  let run: ChildProcess
  const send = (signal: 'SIGTERM' | 'SIGKILL') => process.kill(-Number(run.pid), signal)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ended-run-'))
  })
  after(async () => {
    // Nothing may be left of a run that does not end either.
    try {
      send('SIGKILL')
    } catch (error) {
      should(error).have.property('code', 'ESRCH')
    }
    await rm(folder, { recursive: true })
  })

  it('ends at once when it is told to, and the browser with it', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const file = join(folder, 'endless.test.js')
    await writeFile(file, endless((server.address() as AddressInfo).port))
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
    const connections = on(server, 'connection')
    run = spawn(process.execPath, [mocha, file], { cwd: root, stdio: 'ignore', detached: true })
    // That of the test, and that of its page.
    const gone = []
    while (gone.length < 2) {
      const { value } = (await connections.next()) as { value: [Socket] }
      gone.push(once(value[0], 'close'))
    }
    send('SIGTERM')
    await Promise.all(gone)
    server.close()
  })
})
