import type { Duplex } from 'node:stream'
import { installed, type PlcPeer } from './peer'
import { tcpPeer } from './tcp-peer'

interface Broker {
  handle: (stream: Duplex) => void
  subscribe: (topic: string, deliver: Deliver, done: () => void) => void
  publish: (packet: object, done: () => void) => void
  close: (done: () => void) => void
}
type Deliver = (packet: { payload: Buffer }, done: () => void) => void

/** Milliseconds from one message of the PLC to the next. */
const pause = 100

/** A broker by `aedes`, and a PLC behind it that says everything again and again. */
export function mqttPeer(port: number): PlcPeer {
  const own: Record<string, number> = { sequence: 0, job: 0, plcLife: 0 }
  let cell: Record<string, number | boolean> = {}
  let broker: Broker | undefined
  let timer: NodeJS.Timeout | undefined
  const tcp = tcpPeer(port, (socket) => broker?.handle(socket))
  const bit = (name: string, place: number) => (cell[name] === true ? 1 << place : 0)
  return {
    start: async () => {
      const { Aedes } = installed('aedes') as { Aedes: { createBroker: () => Promise<Broker> } }
      const opened = (broker = await Aedes.createBroker())
      const take: Deliver = ({ payload }, done) => {
        cell = JSON.parse(payload.toString()) as typeof cell
        done()
      }
      await new Promise<void>((resolve) => opened.subscribe('cell/vision', take, resolve))
      timer = setInterval(() => {
        own['plcLife'] = ((own['plcLife'] ?? 0) + 1) % 65_536
        const packet = {
          cmd: 'publish',
          topic: 'cell/plc',
          qos: 1,
          payload: JSON.stringify(own),
          retain: false,
        }
        opened.publish(packet, () => undefined)
      }, pause)
      await tcp.start()
    },
    stop: async () => {
      clearInterval(timer)
      await tcp.stop()
      await new Promise<void>((resolve) => (broker ? broker.close(resolve) : resolve()))
    },
    forget: () => {
      cell = {}
      own['sequence'] = 0
    },
    set: (name, value) => void (own[name] = value),
    get: (name) =>
      name === 'state'
        ? bit('ready', 0) | bit('busy', 1) | bit('done', 2) | bit('error', 3)
        : Number(cell[name] ?? 0),
  }
}
