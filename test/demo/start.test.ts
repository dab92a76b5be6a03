import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import should from 'should'
import { startDemo } from '../support/demo'
import { listening } from '../support/listening'

interface ProjectModule {
  prepareProject: (options: { root: string; home: string; fresh: boolean; ports?: Ports }) => {
    note?: string
    secret: string
  }
}

type Ports = Record<'plc' | 'device', { number: number }>

const scripts = join(__dirname, '..', '..', '..', 'scripts')

describe('the project folder of npm start', () => {
  let root: string
  let home: string
  let prepare: (fresh?: boolean, ports?: Ports) => ReturnType<ProjectModule['prepareProject']>
  const flow = () => readFileSync(join(home, 'flows.json'), 'utf8')
  const ship = (text: string) => {
    writeFileSync(join(root, 'examples', 'first-acquisition.json'), text)
  }
  const edit = (text: string) => {
    writeFileSync(join(home, 'flows.json'), text)
  }

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'cellsight-root-'))
    home = join(root, '.cellsight')
    mkdirSync(join(root, 'examples'))
    const url = pathToFileURL(join(scripts, 'demo', 'project.mjs')).href
    const { prepareProject } = (await import(url)) as ProjectModule
    prepare = (fresh = false, ports?: Ports) => prepareProject({ root, home, fresh, ...(ports && { ports }) })
    ship('[1]')
  })

  afterEach(() => {
    rmSync(root, { recursive: true })
  })

  it('starts with the shipped flow and a link to the package', () => {
    should(prepare().note).be.undefined()
    flow().should.equal('[1]')
    const linked = join(home, 'node_modules', '@cellsight', 'node-red-vision', 'examples')
    existsSync(linked).should.be.true()
  })

  it('keeps what the user has edited', () => {
    prepare()
    edit('[1, "mine"]')
    should(prepare().note).be.undefined()
    flow().should.equal('[1, "mine"]')
  })

  it('updates the shipped flow unless the user has edited the old one', () => {
    prepare()
    ship('[2]')
    should(prepare().note).be.undefined()
    flow().should.equal('[2]')
  })

  it('reports that the shipped flow is new if the user has edited the old one', () => {
    prepare()
    edit('[1, "mine"]')
    ship('[2]')
    should(prepare().note).match(/yours is kept/)
    flow().should.equal('[1, "mine"]')
  })

  it('starts again with --fresh, and keeps the edited flow beside it', () => {
    prepare()
    edit('[1, "mine"]')
    should(prepare(true).note).match(/flows\.before-fresh\.json/)
    flow().should.equal('[1]')
    readFileSync(join(home, 'flows.before-fresh.json'), 'utf8').should.equal('[1, "mine"]')
  })

  it('gives the flow the ports that were chosen, which is no edit', () => {
    const flowOn = (plc: number, device: number, version: number) =>
      JSON.stringify([
        {
          version,
          env: [
            { name: 'PLC_PORT', value: String(plc), type: 'num' },
            { name: 'DEVICE_PORT', value: String(device), type: 'num' },
            { name: 'OTHER_PORT', value: '5', type: 'num' },
          ],
        },
      ])
    const ports = { plc: { number: 1600 }, device: { number: 8200 } }
    ship(flowOn(1502, 8100, 1))
    prepare(false, ports)
    flow().should.equal(flowOn(1600, 8200, 1))
    ship(flowOn(1502, 8100, 2))
    should(prepare(false, ports).note).be.undefined()
    flow().should.equal(flowOn(1600, 8200, 2))
    prepare()
    flow().should.equal(flowOn(1502, 8100, 2))
    // One that was edited has them too.
    edit(flowOn(1502, 8100, 3))
    prepare(false, ports)
    flow().should.equal(flowOn(1600, 8200, 3))
  })

  it("keeps one secret for the flow's credentials", () => {
    const { secret } = prepare()
    secret.should.match(/^[0-9a-f]{64}$/)
    prepare().secret.should.equal(secret)
  })
})

describe('npm start', () => {
  it('says which port is in use and how to choose another', async () => {
    const blocker = await listening(createServer())
    const taken = String(blocker.port)
    try {
      for (const variable of ['PORT', 'PLC_PORT', 'DEVICE_PORT']) {
        await startDemo({ env: { [variable]: taken } }).should.be.rejectedWith(
          new RegExp(
            `^ended with 2: Port ${taken} for .* is in use\\. Choose another: ${variable}=\\d+ npm start\\s*$`,
          ),
        )
      }
    } finally {
      await blocker.stop()
    }
  })

  it('says what is wrong with a port or an option', async () => {
    await startDemo({ env: { PORT: 'http' } }).should.be.rejectedWith(
      /^ended with 2: PORT=http is not a port/,
    )
    await startDemo({ args: ['--clean'] }).should.be.rejectedWith(/^ended with 2: .*--clean.*--fresh/)
    await startDemo({ env: { PLC_PORT: '1600', DEVICE_PORT: '1600' } }).should.be.rejectedWith(
      /^ended with 2: .*both/,
    )
  })

  it('runs with NODE_ENV=production, on loopback only, and leaves nothing behind on Ctrl+C', async () => {
    const demo = await startDemo({ env: { NODE_ENV: 'production' } })
    try {
      const settings = (await (await fetch(`${demo.editor}/settings`)).json()) as Record<string, unknown>
      should(settings.telemetryEnabled).not.equal(true)
      should(listensBeyondLoopback(demo.ports.PORT)).be.false()
      should(listensBeyondLoopback(demo.ports.PLC_PORT)).be.false()
      should(listensBeyondLoopback(demo.ports.DEVICE_PORT)).be.false()
    } finally {
      should(await demo.stop('SIGINT')).equal(0)
    }
    for (const port of Object.values(demo.ports)) await canBeHad(port)
  })
})

/** From the kernel's table of sockets; on systems other than Linux this cannot be checked. */
function listensBeyondLoopback(port: number): boolean {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const loopback = ['0100007F', '0000000000000000FFFF00000100007F', '00000000000000000000000001000000']
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .filter((table) => existsSync(table))
    .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${hexPort}`))
    .some(([, local]) => !loopback.includes(String(local).split(':')[0] ?? ''))
}

async function canBeHad(port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  server.close()
}
