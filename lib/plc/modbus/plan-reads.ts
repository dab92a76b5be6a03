import { mostItems, type ModbusArea, type ReadRequest } from './requests'

/** One item that is to be read. */
export interface ReadItem {
  area: ModbusArea
  address: number
  /** Is read before the others: what is asked for must not be older than what belongs to it. @default false */
  first?: boolean
}

/**
 * As few requests as the limits of Modbus allow.
 * @param gap most items between two wanted ones that are read along; 0 where a PLC refuses addresses in between
 */
export function planReads(items: readonly ReadItem[], gap = 16): ReadRequest[] {
  const planned: { request: ReadRequest; first: boolean }[] = []
  for (const { area, address, first = false } of [...items].sort(byPlace)) {
    const last = planned.at(-1)
    const count = last ? address - last.request.address + 1 : 0
    const fits = last?.request.area === area && count <= mostItems.read[area]
    if (last && fits && count - last.request.count <= gap + 1) {
      last.request.count = count
      last.first ||= first
    } else planned.push({ request: { kind: 'read', area, address, count: 1 }, first })
  }
  return planned.sort((one, other) => Number(other.first) - Number(one.first)).map(({ request }) => request)
}

const byPlace = (one: ReadItem, other: ReadItem): number =>
  one.area === other.area ? one.address - other.address : one.area < other.area ? -1 : 1
