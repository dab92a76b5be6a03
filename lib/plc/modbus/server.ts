import { modbusError } from './modbus-error'
import type { WritableArea } from './requests'
import type { ServerCounts } from './serve-connection'
import { serverSettings, type ModbusServerOptions } from './server-options'
import { ModbusStation } from './station'
import { StationPart, type ModbusServerEvents } from './station-part'

export type { ModbusServerEvents } from './station-part'

/** A Modbus TCP server that has the registers and coils of a map. */
export interface ModbusServer {
  readonly host: string
  readonly port: number
  /** Of all who share the server. */
  readonly counts: Readonly<ServerCounts>
  /** `performance.now()` of the last request; `-Infinity` before the first. */
  readonly lastRequest: number
  /** Addresses of the connected clients. */
  readonly clients: readonly string[]
  /** Sets items all at once: no read sees a part of them. Items that do not exist are left out. */
  set: (items: Iterable<{ area: WritableArea; address: number; value: number }>) => void
  /** The items as they are now. @throws ModbusException where one does not exist */
  read: (area: WritableArea, address: number, count: number) => number[]
  /** Leaves; the last one ends all connections. Resolves when nothing is left. */
  close: () => Promise<void>
}

/** Servers that may be shared, by address and port; those that are being closed, too. */
const stations = new Map<string, Promise<ModbusStation>>()
const closing = new Map<string, Promise<void>>()

/**
 * Starts a Modbus TCP server. Several on one address and port share it: each has a unit of its own, or registers and coils
 * that no other one of its unit has. A connection is a client of those that it asks, and of the only one from the beginning.
 * @throws PlcError `INVALID_INPUT` for an option, registers or coils that another has, or a port that is taken, below 1024
 * without the right, or not ours
 */
export async function startModbusServer(
  options: ModbusServerOptions,
  events: ModbusServerEvents,
): Promise<ModbusServer> {
  const settings = serverSettings(options)
  const part = new StationPart(settings, events)
  const { host, port } = settings
  const key = `${host} ${port}`
  for (;;) {
    await closing.get(key)
    const opening = stations.get(key) ?? ModbusStation.open(settings)
    // Each server on any free port is one of its own.
    if (port !== 0) stations.set(key, opening)
    const station = await opening.catch((error: unknown) => {
      if (stations.get(key) === opening) stations.delete(key)
      throw error
    })
    // The last one may have left while this one waited.
    if (port !== 0 && stations.get(key) !== opening) continue
    return joined(station, part, key)
  }
}

function joined(station: ModbusStation, part: StationPart, key: string): ModbusServer {
  const { address: host, port } = station.address
  const memory = station.join(part)
  if (!memory)
    throw modbusError({ code: 'INVALID_INPUT', key: 'modbus-block-taken', values: { port, unit: part.unit } })
  let leaving: Promise<void> | undefined
  const leave = async () => {
    station.leave(part)
    if (!station.isEmpty) return
    const closed = station.close()
    if (stations.delete(key)) closing.set(key, closed)
    await closed
    if (closing.get(key) === closed) closing.delete(key)
  }
  return {
    host,
    port,
    counts: station.counts,
    get lastRequest() {
      return part.lastRequest
    },
    get clients() {
      return part.clients
    },
    set: (items) => {
      for (const { area, address, value } of items) memory.set(area, address, value, part)
    },
    read: (area, address, count) => memory.read(area, address, count),
    close: () => (leaving ??= leave()),
  }
}
