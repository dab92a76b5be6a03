import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { freePorts } from '../support/free-ports'
import { root } from '../support/root'
import { palette } from './support/dashboard'

/** Starts the demo as a user does. */
async function start(home: string) {
  const [PORT = 0, DEVICE_PORT = 0, IMAGE_PORT = 0, PLC_PORT = 0] = await freePorts(4)
  const env = { PORT, DEVICE_PORT, IMAGE_PORT, PLC_PORT }
  const texts = Object.fromEntries(Object.entries(env).map(([name, port]) => [name, String(port)]))
  const child = spawn(process.execPath, [join(root, 'scripts', 'operator-demo.mjs')], {
    env: { ...process.env, ...texts, CELLSIGHT_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'close')
  await new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      if (/ready\. Ctrl\+C/.test(output)) resolve()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('exit', () => reject(new Error(output)))
  })
  return {
    url: `http://127.0.0.1:${PORT}`,
    output,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

describe('npm run demo:operator', function () {
  this.timeout(120_000)
  let home: string
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'cellsight-operator-demo-'))
    // As it installs it itself, without the registry.
    const place = join(home, 'node_modules', '@flowfuse')
    mkdirSync(place, { recursive: true })
    symlinkSync(
      join(palette, 'node_modules', '@flowfuse', 'node-red-dashboard'),
      join(place, 'node-red-dashboard'),
    )
  })
  after(() => rmSync(home, { recursive: true, force: true }))

  it('starts with a login whose password is printed once and stored nowhere', async () => {
    const first = await start(home)
    const password = /operator, password (\S+)/.exec(first.output)?.[1] ?? ''
    password.length.should.be.aboveOrEqual(12)
    const page = (headers: Record<string, string>) => fetch(`${first.url}/dashboard/cell`, { headers })
    const named = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`operator:${secret}`).toString('base64')}`,
    })
    should((await page({})).status).equal(401)
    should((await page(named('wrong'))).status).equal(401)
    should((await page(named(password))).status).equal(200)
    should((await fetch(`${first.url}/flows`)).status).equal(401)
    await first.stop()
    for (const file of readdirSync(home).filter((name) => name !== 'node_modules')) {
      const path = join(home, file)
      if (statSync(path).isFile()) readFileSync(path, 'utf8').should.not.containEql(password)
    }
    readFileSync(join(home, 'flows.json'), 'utf8').should.not.match(/\$2[aby]\$/)
    should(statSync(join(home, 'login.json')).mode & 0o077).equal(0)

    const second = await start(home)
    second.output.should.not.match(/password \S+ \(shown/)
    should((await fetch(`${second.url}/dashboard/cell`, { headers: named(password) })).status).equal(200)
    await second.stop()
    should(existsSync(join(home, 'login.json'))).be.true()
  })
})
