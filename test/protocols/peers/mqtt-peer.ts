import { newBroker } from './brokers'
import { installed, type PlcPeer } from './peer'

interface Client {
  on: (event: 'message', take: (topic: string, payload: Buffer) => void) => void
  subscribeAsync: (topic: string, options: object) => Promise<unknown>
  publish: (topic: string, payload: string, options: object) => void
  endAsync: (force: boolean) => Promise<void>
}

/** Milliseconds from one message of the PLC to the next. */
const pause = 100

/** A PLC behind a broker, which says everything again and again. */
export function mqttPeer(port: number): PlcPeer {
  const own: Record<string, number> = { sequence: 0, job: 0, plcLife: 0 }
  let cell: Record<string, number | boolean> = {}
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  const broker = newBroker(port)
  const bit = (name: string, place: number) => (cell[name] === true ? 1 << place : 0)
  return {
    start: async () => {
      await broker.start()
      const { connectAsync } = installed('mqtt') as { connectAsync: (url: string) => Promise<Client> }
      const opened = (client = await connectAsync(`mqtt://127.0.0.1:${port}`))
      opened.on('message', (_topic, payload) => {
        cell = JSON.parse(payload.toString()) as typeof cell
      })
      await opened.subscribeAsync('cell/vision', { qos: 1 })
      timer = setInterval(() => {
        own['plcLife'] = ((own['plcLife'] ?? 0) + 1) % 65_536
        opened.publish('cell/plc', JSON.stringify(own), { qos: 1 })
      }, pause)
    },
    stop: async () => {
      clearInterval(timer)
      await client?.endAsync(true)
      await broker.stop()
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
