import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { eventually } from '../../support/eventually'
import { installed } from './peer'
import { tcpPeer } from './tcp-peer'

/** An MQTT broker at 127.0.0.1, without a memory of its own. */
export interface Broker {
  start: () => Promise<void>
  stop: () => Promise<void>
}

const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
const mosquittoProgram = places.map((place) => join(place, 'mosquitto')).find((path) => existsSync(path))

/** Mosquitto where it is installed, otherwise `aedes`. */
export const brokerName = mosquittoProgram ? 'mosquitto' : 'aedes'

export const newBroker = (port: number): Broker =>
  mosquittoProgram ? mosquitto(mosquittoProgram, port) : aedes(port)

function mosquitto(program: string, port: number): Broker {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-mosquitto-'))
  const file = join(folder, 'mosquitto.conf')
  // It would become another user, who cannot read its configuration.
  const user = process.getuid?.() === 0 ? 'user root\n' : ''
  writeFileSync(file, `${user}listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  let child: ChildProcess | undefined
  return {
    start: async () => {
      child = spawn(program, ['-c', file], { stdio: 'ignore' })
      const started = child
      process.once('exit', () => started.kill('SIGKILL'))
      await eventually(() => answers(port))
    },
    stop: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
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

interface Aedes {
  handle: (stream: Duplex) => void
  close: (done: () => void) => void
}

function aedes(port: number): Broker {
  let broker: Aedes | undefined
  const tcp = tcpPeer(port, (socket) => broker?.handle(socket))
  return {
    start: async () => {
      const { Aedes } = installed('aedes') as { Aedes: { createBroker: () => Promise<Aedes> } }
      broker = await Aedes.createBroker()
      await tcp.start()
    },
    stop: async () => {
      await tcp.stop()
      await new Promise<void>((resolve) => (broker ? broker.close(resolve) : resolve()))
    },
  }
}
