import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { end } from '../../support/end-of'

const cli = join(__dirname, '..', '..', '..', 'virtual-device', 'program', 'cli.js')

interface ProgramExit {
  code: number | null
  out: string
  err: string
}

/** Programs started by a suite; those still running after a test are killed. */
export function usePrograms() {
  const running = new Set<ChildProcess>()
  afterEach(async () => {
    for (const child of running) await end(child, 'SIGKILL')
    running.clear()
  })

  const run = (args: readonly string[]) => {
    const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const ended: ProgramExit = { code: null, out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => (ended.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (ended.err += chunk.toString()))
    const end = once(child, 'close').then(([code]) => {
      running.delete(child)
      return { ...ended, code: code as number | null }
    })
    return { child, end, ended }
  }

  return {
    /** Runs the program to its end. */
    run: (...args: string[]) => run(args).end,
    /** Starts it on a free port and waits until it is ready. */
    start: async (...args: string[]) => {
      const { child, end, ended } = run(['--port', '0', ...args])
      while (!ended.out.includes('\n')) {
        const first = await Promise.race([once(child.stdout, 'data'), end])
        if ('err' in first) throw new Error(first.err)
      }
      const [url = ''] = /http:\S+(?=\/api\/v2)/.exec(ended.out) ?? []
      return {
        url,
        line: ended.out,
        end,
        kill: (signal: NodeJS.Signals) => {
          child.kill(signal)
          return end
        },
      }
    },
  }
}
