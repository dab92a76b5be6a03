import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { eventually } from './eventually'
import { freePorts } from './free-ports'

/** A real Mosquitto on 127.0.0.1 that forgets everything when it is killed. */
export interface Mosquitto {
  port: number
  /** Id of its process. */
  pid: () => number | undefined
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Ends it and deletes its folder. */
  stop: () => Promise<void>
}

/** Debian has it in a folder that is not in everybody's path. */
const program = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((place) => join(place, 'mosquitto'))
  .find((path) => existsSync(path))

/** @param lines of its configuration @param port @default a free one */
export async function startMosquitto(lines: readonly string[] = [], port?: number): Promise<Mosquitto> {
  if (program === undefined) throw new Error('Mosquitto is not installed: apt-get install mosquitto')
  const [own = 0] = port === undefined ? await freePorts(1) : [port]
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-mosquitto-'))
  const file = join(folder, 'mosquitto.conf')
  // It would become another user, who cannot read its configuration.
  const user = process.getuid?.() === 0 ? ['user root'] : []
  const usual = [`listener ${own} 127.0.0.1`, 'allow_anonymous true', 'persistence false']
  writeFileSync(file, [...user, ...usual, ...lines, ''].join('\n'))
  let child: ReturnType<typeof spawn> | undefined

  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const start = async () => {
    const started = spawn(program, ['-c', file], { stdio: 'ignore' })
    child = started
    process.once('exit', () => started.kill('SIGKILL'))
    await eventually(() => answers(own), 20_000)
  }
  await start()
  return {
    port: own,
    pid: () => child?.pid,
    kill,
    start,
    stop: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
