import { startTimeout } from '../../timers/timers'
import type { OpenMap } from '../data'
import { modbusError, startModbusServer, type ModbusServerOptions } from '../modbus'
import type { PlcPort, PortEvents } from './port'

/**
 * Milliseconds after which a PLC that is connected and has written nothing asks for nothing: it writes its words when
 * they change. One that writes in every cycle has written by then.
 */
const quiet = 1000

export interface ServerPortOptions extends Omit<ModbusServerOptions, 'blocks'> {
  /** Milliseconds without any connection after which the PLC is gone: some connect anew for every few requests. @default 10000 */
  absence?: number
}

/** Hosts that are not allowed, each reported once. */
const mostReported = 100

/** Refused hosts that are remembered. */
const mostRefused = 5

/**
 * The PLC connects to this computer, writes its words and reads those of the cell. Each write is one look, in order: nothing
 * that the PLC wrote is missed between two looks. The link is up while a PLC is connected.
 * @throws PlcError where the server cannot listen
 */
export async function openServerPort(
  { absence = 10_000, ...options }: ServerPortOptions,
  map: OpenMap,
  { onLink, onSample, onTrouble }: PortEvents,
): Promise<PlcPort> {
  let hasWritten = false
  let isUp = false
  let lookTimer: NodeJS.Timeout | undefined
  let absenceTimer: NodeJS.Timeout | undefined
  const reported = new Set<string>()
  let refusedHosts: readonly string[] = []

  const link = (up: boolean) => {
    if (up === isUp) return
    isUp = up
    hasWritten = false
    onLink(up)
  }
  const look = () => {
    clearTimeout(lookTimer)
    lookTimer = undefined
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
        clearTimeout(absenceTimer)
        if (clients.length === 0) {
          absenceTimer = startTimeout(() => link(false), absence)
          return
        }
        link(true)
        if (!hasWritten) lookTimer ??= startTimeout(look, quiet)
      },
      onRefused: (address) => {
        refusedHosts = [address, ...refusedHosts.filter((each) => each !== address)].slice(0, mostRefused)
        if (reported.size === mostReported || reported.has(address)) return
        reported.add(address)
        onTrouble(modbusError({ code: 'INVALID_INPUT', key: 'modbus-host-refused', values: { address } }))
      },
      onError: onTrouble,
    },
  )
  return {
    write: (says) => {
      server.set(map.words(says))
      return Promise.resolve()
    },
    isPolled: false,
    get figures() {
      const { clients, port, counts, lastRequest } = server
      return {
        clients,
        port,
        refused: counts.refused,
        refusedHosts,
        ...(Number.isFinite(lastRequest) && { heardAt: lastRequest }),
      }
    },
    close: () => {
      clearTimeout(lookTimer)
      return server.close().finally(() => clearTimeout(absenceTimer))
    },
  }
}
