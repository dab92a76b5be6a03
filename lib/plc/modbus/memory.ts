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

/** Whose items they are; compared by identity. */
export type MemoryOwner = object

interface Item {
  value: number
  writable: boolean
  owner: MemoryOwner
}

/** Called for each owner of the items of a request. @returns whether the items exist for whoever asks */
type Uses = (owner: MemoryOwner) => boolean

const anybody = () => true

/** The registers and coils of one unit, all 0 at first. They can be read as inputs too. */
export class ModbusMemory {
  private readonly items: Record<WritableArea, Map<number, Item>> = { registers: new Map(), coils: new Map() }

  /** Whether there is nothing. */
  get isEmpty(): boolean {
    return this.items.registers.size === 0 && this.items.coils.size === 0
  }

  /** Adds the items of an owner: all, or none where one exists already. @returns whether they were added */
  add({ registers = [], coils = [] }: ModbusBlocks, owner: MemoryOwner): boolean {
    const added = { registers: itemsOf(registers, owner), coils: itemsOf(coils, owner) }
    const areas = ['registers', 'coils'] as const
    if (areas.some((area) => [...added[area].keys()].some((address) => this.items[area].has(address))))
      return false
    for (const area of areas) for (const [address, item] of added[area]) this.items[area].set(address, item)
    return true
  }

  /** Removes everything of an owner. */
  remove(owner: MemoryOwner): void {
    for (const items of Object.values(this.items))
      for (const [address, item] of items) if (item.owner === owner) items.delete(address)
  }

  /** @throws ModbusException where one of the items does not exist */
  read(area: ModbusArea, address: number, count: number, uses: Uses = anybody): number[] {
    const values: number[] = []
    this.each(area, address, count, uses, ({ value }) => values.push(value))
    return values
  }

  /** Writes what a client sent: all or nothing. @throws ModbusException where one does not exist, or is not its own */
  write(area: WritableArea, address: number, values: readonly number[], uses: Uses = anybody): void {
    const items: Item[] = []
    this.each(area, address, values.length, uses, (item) => items.push(item))
    if (!items.every(({ writable }) => writable)) throw new ModbusException(exceptions.illegalAddress)
    items.forEach((item, index) => (item.value = values[index] ?? 0))
  }

  /** Sets an item that exists and is the owner's; the others do not change. */
  set(area: WritableArea, address: number, value: number, owner: MemoryOwner): void {
    const item = this.items[area].get(address)
    if (item?.owner === owner) item.value = value
  }

  private each(
    area: ModbusArea,
    address: number,
    count: number,
    uses: Uses,
    take: (item: Item) => void,
  ): void {
    const items = this.items[isBitArea(area) ? 'coils' : 'registers']
    let last: MemoryOwner | undefined
    for (let at = address; at < address + count; at++) {
      const item = items.get(at)
      if (!item || (item.owner !== last && !uses(item.owner)))
        throw new ModbusException(exceptions.illegalAddress)
      last = item.owner
      take(item)
    }
  }
}

const itemsOf = (blocks: readonly ModbusBlock[], owner: MemoryOwner): Map<number, Item> =>
  new Map(
    blocks.flatMap(({ address, count, writable = false }) =>
      Array.from({ length: count }, (_, index) => [address + index, { value: 0, writable, owner }] as const),
    ),
  )
