import { Type, type Static } from '../../typebox'
import type { DeviceRow } from './rows'

/** What devices should have; missing values are not compared. */
export const Reference = Type.Object(
  {
    firmware: Type.Optional(Type.String({ maxLength: 200 })),
    fingerprint: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  },
  { additionalProperties: false },
)
export type Reference = Static<typeof Reference>

/** A device with what is not as it should be. */
export interface Difference extends DeviceRow {
  differs: ('firmware' | 'settings' | 'settings-unknown')[]
}

/** The devices that differ from the reference. */
export function* differencesOf(
  rows: Iterable<DeviceRow>,
  { firmware, fingerprint }: Reference,
): Generator<Difference> {
  for (const row of rows) {
    const differs: Difference['differs'] = []
    if (firmware !== undefined && row.firmware !== firmware) differs.push('firmware')
    if (fingerprint !== undefined && row.fingerprint !== fingerprint)
      differs.push(row.fingerprint === null ? 'settings-unknown' : 'settings')
    if (differs.length > 0) yield { ...row, differs }
  }
}
