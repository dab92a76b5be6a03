import type { DeviceRow } from './rows'

/** What devices can be grouped by. */
export const groupings = ['plant', 'cell', 'label', 'model', 'firmware', 'link'] as const
export type Grouping = (typeof groupings)[number]

/** Devices that have something in common. */
export interface DeviceGroup {
  group: string
  devices: number
  /** Devices with a problem. */
  problems: number
  /** Devices whose cell is not seen. */
  notSeen: number
}

/** The groups with problems first. A device with several labels is in several groups. */
export function groupsOf(rows: Iterable<DeviceRow>, by: Grouping): DeviceGroup[] {
  const groups = new Map<string, DeviceGroup>()
  for (const row of rows)
    for (const name of namesOf(row, by)) {
      const group = groups.get(name) ?? { group: name, devices: 0, problems: 0, notSeen: 0 }
      groups.set(name, group)
      group.devices++
      if (row.severity > 0) group.problems++
      if (!row.seen) group.notSeen++
    }
  return [...groups.values()].sort(
    (one, other) => other.problems - one.problems || (one.group < other.group ? -1 : 1),
  )
}

const namesOf = (row: DeviceRow, by: Grouping): readonly string[] =>
  by === 'label' ? row.labels : [by === 'cell' ? `${row.plant}/${row.cell}` : row[by]]
