import type { Centre } from './centre'
import type { Role } from './claim'
import { groupsOf, type DeviceGroup } from './groups'
import { mapOf, type PlantOnMap } from './map'
import { progressOf, type RolloutProgress } from './report'
import { problemsFirst, type DeviceRow } from './rows'

/** Rows with a problem in a summary, at most. */
const most = 200
/** Rollouts in a summary, at most: open ones, and the last that have ended. */
const mostRollouts = 10

/** The fleet for a page: every part is a table as it is. */
export interface FleetSummary {
  /** `orders`: whether it may give orders at all. */
  centre: { name: string; role: Role; acting: string; orders: boolean }
  cells: { all: number; seen: number; notSeen: number }
  devices: { all: number; problems: number }
  /** Problems first. */
  plants: DeviceGroup[]
  /** Devices with a problem, the first 200. */
  problems: DeviceRow[]
  /** Plants, cells and up to 400 devices, in each those with a problem first. */
  map: PlantOnMap[]
  rollouts: RolloutProgress[]
}

export function summaryOf(centre: Centre): FleetSummary {
  const rows = [...centre.rows()]
  const problems = rows.filter(({ severity }) => severity > 0)
  let seen = 0
  for (const cell of centre.picture.cells) if (centre.picture.isSeen(cell)) seen++
  const { cells } = centre.picture.size
  const { name, role, mayOrder } = centre
  const { all, open } = centre.rollouts
  const acting = role === 'acting' ? name : (centre.actingCentre ?? '')
  return {
    centre: { name, role, acting, orders: mayOrder },
    cells: { all: cells, seen, notSeen: cells - seen },
    devices: { all: rows.length, problems: problems.length },
    plants: groupsOf(rows, 'plant'),
    problems: problems.sort(problemsFirst).slice(0, most),
    map: mapOf(rows),
    rollouts: [...open, ...all.filter(({ isOver }) => isOver)].slice(0, mostRollouts).map(progressOf),
  }
}
