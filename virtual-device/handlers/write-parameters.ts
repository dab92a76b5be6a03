import { Float64 } from '../../lib/codec/json-value'
import type { Parameter } from '../../lib/contract'
import type { Device } from '../device/device'
import type { WrittenValue } from '../device/parameter-set'
import type { RunningModule } from '../device/running-module'

/** Writes all values or, if one of them is invalid, none. @param unknownStatus of the answer to an unknown name */
export function writeParameters(
  device: Device,
  node: RunningModule,
  writes: readonly WrittenValue[],
  unknownStatus: 400 | 404,
): Parameter[] {
  const records = node.parameters.write(writes, unknownStatus)
  if (records.length) device.changed()
  for (const { name, value } of records)
    device.note('INFO', `${name} set to ${String(value instanceof Float64 ? value.value : value)}`, node.name)
  return records
}
