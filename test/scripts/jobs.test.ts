import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import should from 'should'
import { root } from '../support/root'

interface Ran {
  status: number | null
  output: string
  seconds: number
  cpu: number
}
interface Job {
  name: string
  command: string
  args: string[]
  isTest?: boolean
}
interface Ended {
  total: { passing: number; failing: number; pending: number; cpu: number }
  unstable: { name: string; failures: string }[]
  faulty: string[]
}
interface Jobs {
  captured: (
    command: string,
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
    within?: number,
  ) => Promise<Ran>
  runJobs: (
    jobs: Job[],
    options: {
      lanes: number
      secondLook?: boolean
      run?: (command: string) => Promise<Ran>
      print?: (text: string) => void
    },
  ) => Promise<Ended>
}

/** Starts a program that only keeps a connection, and waits for ever. */
const hangs = (port: number) => `
  const { spawn } = require('node:child_process')
  spawn(process.execPath, ['-e', "require('node:net').connect(${String(port)}, '127.0.0.1')"], { stdio: 'inherit' })
  setInterval(() => {}, 1000)`

const uses = (seconds: number) =>
  `while (process.cpuUsage().user < ${String(seconds * 1e6)}); console.log('used'); process.exitCode = 3`

describe('jobs', () => {
  let jobs: Jobs
  before(async () => {
    jobs = (await import(pathToFileURL(join(root, 'scripts', 'jobs.mjs')).href)) as Jobs
  })

  it('have the status, the output and the processor time of all that they start', async () => {
    const starts = `
      const { spawnSync } = require('node:child_process')
      const { status, stdout } = spawnSync(process.execPath, ['-e', ${JSON.stringify(uses(0.5))}])
      process.stdout.write(stdout)
      process.exitCode = status`
    const { status, output, cpu } = await jobs.captured(process.execPath, ['-e', starts])
    should(status).equal(3)
    output.should.equal('used\n')
    if (process.platform !== 'win32') cpu.should.be.above(0.49)
  })

  it('fail if there is no such program', async () => {
    const { status, output } = await jobs.captured(join(root, 'no-such-program'), [])
    should(status).not.equal(0)
    output.should.match(/no-such-program/)
  })

  it('are ended with all that they have started when they hang, and say so', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const running = jobs.captured(process.execPath, ['-e', hangs(port)], process.env, 5)
    const [started] = (await once(server, 'connection')) as [Socket]
    const gone = once(started.on('error', () => undefined).resume(), 'close')
    const { status, output } = await running
    should(status).be.null()
    output.should.match(/still running after 5 s: it was ended/)
    await gone
    server.close()
  })

  describe('that have failed beside others', () => {
    const running = new Set<string>()
    const ran: string[] = []
    /** The first time something runs beside it, `racing` fails. */
    const run = async (command: string) => {
      running.add(command)
      ran.push(command)
      await turn()
      const status = command === 'wrong' || (command === 'racing' && running.size > 1) ? 1 : 0
      await turn()
      running.delete(command)
      const output = status
        ? '  1 passing (1s)\n  1 failing\n\n  1) a race:\n     lost it\n'
        : '  2 passing (1s)\n'
      return { status, output, seconds: 1, cpu: 1 }
    }
    const named = ['racing', 'wrong', 'right'].map((name) => ({
      name,
      command: name,
      args: [],
      isTest: true,
    }))
    const quietly = { lanes: 2, run, print: () => undefined }
    beforeEach(() => ran.splice(0))

    it('run again, alone: what passes then is unstable, with what had failed', async () => {
      const { total, unstable, faulty } = await jobs.runJobs(named, { ...quietly, secondLook: true })
      unstable.should.eql([{ name: 'racing', failures: '\n  1) a race:\n     lost it' }])
      faulty.should.eql(['wrong'])
      ran.should.eql(['racing', 'wrong', 'right', 'racing', 'wrong'])
      total.should.eql({ passing: 5, failing: 1, pending: 0, cpu: 5 })
    })

    it('have failed, unless a second look is asked for', async () => {
      const { unstable, faulty } = await jobs.runJobs(named, quietly)
      unstable.should.be.empty()
      faulty.should.eql(['racing', 'wrong'])
      ran.should.have.length(3)
    })
  })
})
