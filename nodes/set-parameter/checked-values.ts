import type { ParameterNameValue } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { acceptedValue } from './accepted-value'

/**
 * The values in the device's types, checked against its own records. The records are requested once; if they reject a
 * value they are requested again, in case the device has changed.
 * @throws INVALID_INPUT if type, limits or choices do not allow a value
 */
export async function checkedValues(
  { records }: Connection,
  target: { pipeline: string; node: string },
  values: readonly ParameterNameValue[],
  signal: AbortSignal,
): Promise<ParameterNameValue[]> {
  const known = records.known(target)
  if (known) {
    try {
      return check(known)
    } catch {
      // Fresh records decide below.
    }
  }
  return check(await records.ask(target, signal))

  function check(byName: NonNullable<typeof known>) {
    return values.map(({ name, value }) => {
      const record = byName.get(name)
      // An unknown name is left for the device to refuse.
      return { name, value: record ? acceptedValue(record, value) : value }
    })
  }
}
