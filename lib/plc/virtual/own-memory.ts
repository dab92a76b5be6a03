import { startTimeout } from '../../timers/timers'
import type { OpenMap } from '../data'
import type { MapBlock } from '../data/open-map'
import { startModbusServer, type ModbusServer, type ModbusServerOptions } from '../modbus'
import type { PlcMemory } from './plc-memory'

interface OwnMemoryOptions extends Pick<ModbusServerOptions, 'host' | 'port' | 'unit'> {
  /** Milliseconds for the last words of a cell that is closed at the same moment. @default 300 */
  farewell?: number
}

/** The words in memory of its own, all 0 at first: the PLC is a Modbus server, which a cell on this computer polls. */
export function ownMemory(
  { host, port, unit, farewell = 300 }: OwnMemoryOptions,
  { blocks }: OpenMap,
): PlcMemory {
  let server: ModbusServer | undefined
  let allLeft: () => void = () => undefined
  const opened = startModbusServer(
    { host, port, unit, blocks: { registers: whole(blocks.registers), coils: whole(blocks.coils) } },
    {
      onWrite: () => undefined,
      onClients: (clients) => {
        if (clients.length === 0) allLeft()
      },
    },
  ).then((started) => {
    server = started
  })
  // Whoever waits for it hears of it.
  opened.catch(() => undefined)
  const hasClients = () => server !== undefined && server.clients.length > 0

  return {
    opened,
    get isUp() {
      return hasClients()
    },
    read: async () => {
      await opened
      return (area, address) => {
        const isBit = area === 'coils' || area === 'discreteInputs'
        return server?.read(isBit ? 'coils' : 'registers', address, 1)[0]
      }
    },
    write: async (words) => {
      await opened
      server?.set(words)
    },
    close: async () => {
      await opened.catch(() => undefined)
      if (hasClients()) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          allLeft = resolve
          timer = startTimeout(resolve, farewell)
        })
        clearTimeout(timer)
      }
      await server?.close()
    },
  }
}

/** From the first address to the last: a PLC has memory between two words too. Both sides may write it. */
function whole(blocks: readonly MapBlock[]) {
  if (blocks.length === 0) return []
  const address = Math.min(...blocks.map((each) => each.address))
  const end = Math.max(...blocks.map((each) => each.address + each.count))
  return [{ address, count: end - address, writable: true }]
}
