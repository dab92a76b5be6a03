import { exceptions, ModbusException } from './exceptions'
import { isBitArea, type ModbusArea, type WritableArea } from './requests'

/** Items beside each other that exist. Addresses count from 0. */
export interface ModbusBlock {
  address: number
  count: number
  /** Clients may write them. @default false */
  writable?: boolean
}

/** What a server has, and nothing else. */
export interface ModbusBlocks {
  registers?: readonly ModbusBlock[]
  coils?: readonly ModbusBlock[]
}

interface Item {
  value: number
  writable: boolean
}

/** The registers and coils of a server, all 0 at first. They can be read as inputs too. */
export class ModbusMemory {
  private readonly items: Record<WritableArea, Map<number, Item>>

  constructor({ registers = [], coils = [] }: ModbusBlocks) {
    this.items = { registers: itemsOf(registers), coils: itemsOf(coils) }
  }

  /** @throws ModbusException where one of the items does not exist */
  read(area: ModbusArea, address: number, count: number): number[] {
    return this.existing(area, address, count).map(({ value }) => value)
  }

  /** Writes what a client sent: all or nothing. @throws ModbusException where one does not exist, or is not its own */
  write(area: WritableArea, address: number, values: readonly number[]): void {
    const items = this.existing(area, address, values.length)
    if (!items.every(({ writable }) => writable)) throw new ModbusException(exceptions.illegalAddress)
    items.forEach((item, index) => (item.value = values[index] ?? 0))
  }

  /** Sets an item that exists; the others do not change. */
  set(area: WritableArea, address: number, value: number): void {
    const item = this.items[area].get(address)
    if (item) item.value = value
  }

  private existing(area: ModbusArea, address: number, count: number): Item[] {
    const items = this.items[isBitArea(area) ? 'coils' : 'registers']
    return Array.from({ length: count }, (_, index) => {
      const item = items.get(address + index)
      if (!item) throw new ModbusException(exceptions.illegalAddress)
      return item
    })
  }
}

const itemsOf = (blocks: readonly ModbusBlock[]): Map<number, Item> =>
  new Map(
    blocks.flatMap(({ address, count, writable = false }) =>
      Array.from({ length: count }, (_, index) => [address + index, { value: 0, writable }] as const),
    ),
  )
