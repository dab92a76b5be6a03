import { startTimeout } from '../../timers/timers'
import type { OpenMap } from '../data'
import { startModbusServer, type ModbusServerOptions } from '../modbus'
import type { PlcPort, PortEvents } from './port'

/**
 * Milliseconds after which a PLC that is connected and has written nothing asks for nothing: it writes its words when
 * they change. One that writes in every cycle has written by then.
 */
const quiet = 1000

/**
 * The PLC connects to this computer, writes its words and reads those of the cell. Each write is one look, in order: nothing
 * that the PLC wrote is missed between two looks.
 * @throws PlcError where the server cannot listen
 */
export async function openServerPort(
  options: Omit<ModbusServerOptions, 'blocks'>,
  map: OpenMap,
  { onLink, onSample, onTrouble }: PortEvents,
): Promise<PlcPort> {
  let hasWritten = false
  let timer: NodeJS.Timeout | undefined

  const look = () => {
    clearTimeout(timer)
    timer = undefined
    onSample(
      map.readWords((area, address) => server.read(area === 'coils' ? area : 'registers', address, 1)[0]),
      true,
    )
  }
  const server = await startModbusServer(
    { ...options, blocks: map.blocks },
    {
      onWrite: () => {
        hasWritten = true
        look()
      },
      onClients: (clients) => {
        if (clients.length > 0 && !hasWritten) timer ??= startTimeout(look, quiet)
      },
      onError: onTrouble,
    },
  )
  onLink(true)

  return {
    write: (says) => {
      server.set(map.words(says))
      return Promise.resolve()
    },
    get figures() {
      return { clients: server.clients, port: server.port, refused: server.counts.refused }
    },
    close: () => {
      clearTimeout(timer)
      return server.close()
    },
  }
}
