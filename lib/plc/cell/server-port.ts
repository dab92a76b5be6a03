import { startTimeout } from '../../timers/timers'
import type { OpenMap } from '../data'
import type { Slot } from '../data/map'
import type { Family } from '../families'
import {
  modbusError,
  startModbusServer,
  type ModbusServerOptions,
  type ServedRead,
  type ServedWrite,
} from '../modbus'
import { isBitArea } from '../modbus/frames'
import type { PlcSays } from '../rows'
import type { PlcPort, PlcWrite, PortEvents } from './port'

export interface ServerPortOptions extends Omit<ModbusServerOptions, 'blocks'> {
  /** The row that asks: nothing is known of the PLC before it has been written. @default the one that the map has */
  request?: Family['request']
  /** Milliseconds without any connection after which the PLC is gone: some connect anew for every few requests. @default 10000 */
  absence?: number
}

/** Hosts that are not allowed, each reported once. */
const mostReported = 100

/** Refused hosts that are remembered. */
const mostRefused = 5

/**
 * The PLC connects to this computer, writes its words and reads those of the cell. Each write is one look, in order: nothing
 * that the PLC wrote is missed between two looks. The link is up while a PLC is connected. The memory begins with what the PLC
 * had written before the start.
 * @throws PlcError where the server cannot listen
 */
export async function openServerPort(
  { absence = 10_000, request, ...options }: ServerPortOptions,
  map: OpenMap,
  { onLink, onSample, onRead, onTrouble }: PortEvents,
  known: PlcSays = {},
): Promise<PlcPort> {
  let isUp = false
  /** Address of the PLC that asks. */
  let plc: string | undefined
  let absenceTimer: NodeJS.Timeout | undefined
  const reported = new Set<string>()
  let refusedHosts: readonly string[] = []

  const look = (write: PlcWrite) =>
    onSample(
      map.readWords((area, address) => server.read(area === 'coils' ? area : 'registers', address, 1)[0]),
      true,
      write,
    )
  const link = (up: boolean) => {
    if (up === isUp) return
    isUp = up
    onLink(up)
    if (up) look({ request: false, connection: 0 })
  }
  const asking = slotsOf(map, request ? [request] : ['sequence', 'trigger', 'command'])
  const asks = ({ values, ...write }: ServedWrite) => overlap(asking, { ...write, count: values.length })
  const states = map.slots.filter(({ meaning }) => meaning.group === 'state' || meaning.group === 'echo')
  const server = await startModbusServer(
    { ...options, blocks: map.blocks },
    {
      onWrite: (write, connection) => {
        const isRequest = asks(write)
        if (isRequest) plc = write.client
        look({ request: isRequest, connection })
      },
      // Somebody who looks on does not read for the PLC.
      onRead: (read) => onRead?.((plc ?? read.client) === read.client && overlap(states, read)),
      onClients: (clients) => {
        clearTimeout(absenceTimer)
        if (clients.length === 0) absenceTimer = startTimeout(() => link(false), absence)
        else link(true)
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
  server.set(map.plcWords(known))
  return {
    write: (says) => {
      server.set(map.words(says))
      return Promise.resolve()
    },
    isPolled: false,
    isOwn: true,
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
    close: () => server.close().finally(() => clearTimeout(absenceTimer)),
  }
}

/** The values of the first of these rows that the map has. */
const slotsOf = ({ slots }: OpenMap, wanted: readonly Family['request'][]) =>
  wanted.map((each) => slots.filter(({ row }) => row === each)).find((found) => found.length > 0) ?? []

const overlap = (slots: readonly Slot[], items: Omit<ServedRead, 'client'>) =>
  slots.some(
    (slot) =>
      isBitArea(slot.area) === (items.area === 'coils') &&
      slot.address !== undefined &&
      items.address < slot.address + slot.words &&
      slot.address < items.address + items.count,
  )
