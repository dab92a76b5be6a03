import type { ParameterNameValue } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { acceptedValue } from './accepted-value'

/**
 * The values as the device takes them, checked against its own records. These are known from the first time on; where
 * they refuse a value they are asked for once more, in case the device has changed.
 * @throws INVALID_INPUT where type, limits or choices do not allow a value
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
      // Below it is decided by fresh records.
    }
  }
  return check(await records.ask(target, signal))

  function check(byName: NonNullable<typeof known>) {
    return values.map(({ name, value }) => {
      const record = byName.get(name)
      // A name that the device does not know is for the device to refuse.
      return { name, value: record ? acceptedValue(record, value) : value }
    })
  }
}
