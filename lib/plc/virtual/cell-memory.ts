import type { OpenMap } from '../data'
import type { Slot } from '../data/map'
import { planReads, startModbusClient, type ModbusClientOptions, type ReadItem } from '../modbus'
import type { PlcMemory } from './plc-memory'

/** The words in the memory of a cell that is a Modbus server. @throws PlcError `INVALID_INPUT` for an option */
export function cellMemory(options: ModbusClientOptions, { slots }: OpenMap): PlcMemory {
  const client = startModbusClient(options)
  const requests = planReads(slots.flatMap(itemsOf))
  return {
    opened: Promise.resolve(),
    get isUp() {
      return client.isOpen
    },
    read: async () => {
      const read: number[][] = []
      for (const request of requests) read.push(await client.request(request))
      return (area, address) => {
        const place = requests.findIndex(
          (each) => each.area === area && address >= each.address && address < each.address + each.count,
        )
        return read[place]?.[address - (requests[place]?.address ?? 0)]
      }
    },
    write: async (words) => {
      for (const { area, address, value } of words)
        await client.request({ kind: 'write', area, address, values: [value] })
    },
    close: () => client.close(),
  }
}

/** The state before the results: what it says of them is then true of those that are read after it. */
const itemsOf = ({ area, address, words, meaning }: Slot): ReadItem[] =>
  address === undefined
    ? []
    : Array.from({ length: words }, (_, offset) => ({
        area,
        address: address + offset,
        first: meaning.group === 'state' || meaning.group === 'echo',
      }))
