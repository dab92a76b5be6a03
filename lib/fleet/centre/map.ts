import { problemsFirst, type DeviceRow } from './rows'

/** Devices on a map, at most: those with a problem first. */
const most = 400

/** A device on a map. */
export type DeviceOnMap = Pick<
  DeviceRow,
  'device' | 'seen' | 'age' | 'link' | 'sameSerialAs' | 'firmware' | 'working' | 'problems' | 'severity'
>

/** A cell on a map, with the counts of all its devices. */
export interface CellOnMap {
  cell: string
  devices: number
  /** Devices with a problem. */
  problems: number
  shown: DeviceOnMap[]
}

/** A plant on a map, with the counts of all its devices. */
export interface PlantOnMap {
  plant: string
  devices: number
  problems: number
  cells: CellOnMap[]
}

/** Plants, cells and devices, in each those with a problem first; of a large fleet, the first 400 devices. */
export function mapOf(rows: readonly DeviceRow[]): PlantOnMap[] {
  const plants = new Map<string, PlantOnMap>()
  const cells = new Map<string, CellOnMap>()
  for (const row of firstOf(rows)) {
    const { plant, cell, device, seen, link, sameSerialAs, firmware, working, problems, severity } = row
    const onMap = plants.get(plant) ?? { plant, devices: 0, problems: 0, cells: [] }
    plants.set(plant, onMap)
    const place = `${plant}/${cell}`
    const known = cells.get(place)
    const spot = known ?? { cell, devices: 0, problems: 0, shown: [] }
    if (!known) onMap.cells.push(spot)
    cells.set(place, spot)
    // The age of what is seen changes all the time and says nothing.
    const age = seen ? 0 : row.age
    spot.shown.push({ device, seen, age, link, sameSerialAs, firmware, working, problems, severity })
  }
  for (const { plant, cell, severity } of rows)
    for (const place of [plants.get(plant), cells.get(`${plant}/${cell}`)]) {
      if (!place) continue
      place.devices++
      if (severity > 0) place.problems++
    }
  return [...plants.values()]
}

function firstOf(rows: readonly DeviceRow[]): DeviceRow[] {
  const wanted = rows.filter(({ severity }) => severity > 0).sort(problemsFirst)
  if (wanted.length < most)
    wanted.push(...rows.filter(({ severity }) => severity === 0).slice(0, most - wanted.length))
  return wanted.slice(0, most).sort(problemsFirst)
}
