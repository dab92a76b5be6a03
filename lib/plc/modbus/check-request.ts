import { checkOption, isWholeWithin } from '../option-check'
import { mostItems, type ModbusRequest } from './requests'

/** @throws PlcError `INVALID_INPUT` for what no frame can carry */
export function checkRequest(request: ModbusRequest): void {
  if (request.kind === 'read') {
    checkExtent(request.address, request.count, mostItems.read[request.area])
    return
  }
  if (request.kind === 'write') {
    checkItems(request, mostItems.write[request.area], largest[request.area])
    return
  }
  checkItems(request.write, mostItems.writeRead.write, largest.registers)
  checkExtent(request.read.address, request.read.count, mostItems.writeRead.read)
}

const largest = { coils: 1, registers: 65_535 } as const

function checkItems(
  { address, values }: { address: number; values: readonly number[] },
  most: number,
  largestValue: number,
): void {
  checkExtent(address, values.length, most)
  for (const value of values)
    checkOption('value', value, isWholeWithin(value, 0, largestValue), `0 to ${largestValue}`)
}

function checkExtent(address: number, count: number, most: number): void {
  checkOption('address', address, isWholeWithin(address, 0, 65_535), '0 to 65535')
  const end = Math.min(most, 65_536 - address)
  checkOption('count', count, isWholeWithin(count, 1, end), `1 to ${end}`)
}
