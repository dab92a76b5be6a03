import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { end } from './end-of'
import { eventually } from './eventually'

/** With Debian's /usr/sbin. */
const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']

/** Undefined if not installed. */
export const installedPath = (name: string): string | undefined =>
  places.map((place) => join(place, name)).find((path) => existsSync(path))

/** None outlives this process; one listener for all. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface InstalledProgram {
  pid: () => number | undefined
  /** Rejects with the output if the program ends before it is ready. */
  start: () => Promise<void>
  /** @param signal `SIGKILL`: in the middle of its work */
  end: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/** @param ready rejects until the program is ready */
export function installedProgram(
  name: string,
  args: readonly string[],
  ready: () => Promise<unknown>,
): InstalledProgram {
  let child: ChildProcess | undefined
  const isRunning = () => child?.exitCode === null && child.signalCode === null
  return {
    pid: () => child?.pid,
    start: async () => {
      const program = installedPath(name)
      if (program === undefined) throw new Error(`${name} is not installed. CONTRIBUTING.md tells how.`)
      const started = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
      child = started
      running.add(started)
      started.once('exit', () => running.delete(started))
      let output = ''
      started.stderr.on('data', (text: Buffer) => (output += text.toString()))
      await eventually(async () => {
        if (isRunning()) await ready()
      })
      if (!isRunning()) throw new Error(`${name} has ended: ${output}`)
    },
    end: async (signal = 'SIGKILL') => {
      if (child) await end(child, signal)
    },
  }
}

/** Rejects unless something listens there on 127.0.0.1. */
export const answersAt = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
