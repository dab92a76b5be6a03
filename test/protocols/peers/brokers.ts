import type { Duplex } from 'node:stream'
import { installedPath } from '../../support/installed-program'
import { newBroker as newMosquitto } from '../../support/mosquitto'
import { installed } from './peer'
import { tcpPeer } from './tcp-peer'

/** An MQTT broker at 127.0.0.1, without a memory of its own. */
export interface Broker {
  start: () => Promise<void>
  stop: () => Promise<void>
}

const hasMosquitto = installedPath('mosquitto') !== undefined

/** Mosquitto where it is installed, otherwise `aedes`. */
export const brokerName = hasMosquitto ? 'mosquitto' : 'aedes'

export const newBroker = (port: number): Broker => (hasMosquitto ? mosquitto(port) : aedes(port))

function mosquitto(port: number): Broker {
  const broker = newMosquitto(undefined, { port, persistent: false })
  return { start: async () => (await broker).start(), stop: async () => (await broker).kill() }
}

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
