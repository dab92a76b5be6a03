import type * as Undici from 'undici'
import { Connection, type Connect } from './connection'
import type { ClientSettings } from './options'

/**
 * The connection pool of a device. Uses the most recently used connection first: the device is least likely to have
 * closed it.
 */
export class Connections {
  private readonly free: Connection[] = []
  private readonly all: Connection[] = []
  private readonly undici: typeof Undici
  private readonly connect: Connect

  constructor(private readonly settings: ClientSettings) {
    // oxlint-disable-next-line typescript/no-require-imports -- takes 60 ms, so not before there is a client
    this.undici = require('undici') as typeof Undici
    // Shared by all connections of the device, so that they share TLS sessions. The connect deadline is ours too.
    this.connect = this.undici.buildConnector({ ...settings.tls, timeout: 0 }) as unknown as Connect
  }

  take(): Connection {
    const free = this.free.pop()
    if (free) return free
    const made = new Connection(this.settings, this.undici, this.connect)
    this.all.push(made)
    return made
  }

  give(connection: Connection): void {
    this.free.push(connection)
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((connection) => connection.drop()))
  }
}
