import { allowedHosts, NotAHost } from '../../hosts/allowed-hosts'
import { checkOption } from '../option-check'
import type { PlcError } from '../plc-error'
import type { ModbusBlocks } from './memory'
import type { ServedRead, ServedWrite } from './serve-connection'

/** What a server tells, each at once and in order. */
export interface ModbusServerEvents {
  /** A client wrote, by that connection of the server: 1, 2, … The answer goes out after this returns: what is set here, the client's next read shows. */
  onWrite: (write: ServedWrite, connection: number) => void
  /** A client has read. What is set here, it has not got yet. */
  onRead?: (read: ServedRead) => void
  /** Addresses of the connected clients, whenever they changed. */
  onClients?: (clients: readonly string[]) => void
  /** A host that is not allowed tried to connect. */
  onRefused?: (address: string) => void
  /** What a client sent cannot be read; its connection is closed. Or the server listens no more. */
  onError?: (error: PlcError) => void
}

interface PartOptions {
  unit: number
  allow: readonly string[]
  blocks: ModbusBlocks
}

/** The registers and coils of one user of a server, and who may use them. */
export class StationPart {
  readonly unit: number
  readonly blocks: ModbusBlocks
  readonly isAllowed: (address: string) => boolean
  clients: readonly string[] = []
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  lastRequest = -Infinity
  readonly #events: ModbusServerEvents

  /** @throws PlcError `INVALID_INPUT` for an address that is none */
  constructor({ unit, allow, blocks }: PartOptions, events: ModbusServerEvents) {
    this.unit = unit
    this.blocks = blocks
    this.isAllowed = allowed(allow)
    this.#events = events
  }

  asked(): void {
    this.lastRequest = performance.now()
  }

  read(read: ServedRead): void {
    this.#events.onRead?.(read)
  }

  written(write: ServedWrite, connection: number): void {
    this.#events.onWrite(write, connection)
  }

  connected(clients: readonly string[]): void {
    const isSame =
      clients.length === this.clients.length && clients.every((each, place) => each === this.clients[place])
    this.clients = clients
    if (!isSame) this.#events.onClients?.(clients)
  }

  refused(address: string): void {
    this.#events.onRefused?.(address)
  }

  failed(error: PlcError): void {
    this.#events.onError?.(error)
  }
}

/** @throws PlcError `INVALID_INPUT` */
function allowed(allow: readonly string[]): (address: string) => boolean {
  try {
    return allowedHosts(allow)
  } catch (error) {
    if (error instanceof NotAHost)
      checkOption(
        'allow',
        error.entry,
        false,
        'an IP address such as 192.168.0.10, or a network such as 192.168.0.0/24',
      )
    throw error
  }
}
