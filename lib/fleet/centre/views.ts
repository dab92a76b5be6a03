import { Type, type Static } from '../../typebox'
import { type DeviceRow, problemsFirst, addressOf } from './picture'
import type { Rollout } from './rollout'
import type { MemberEnd as Ending, MemberEnding, StopReason } from './rollout-record'
import type { Centre } from './centre'
import type { Role } from './claim'

const Word = Type.Optional(Type.String({ maxLength: 200 }))

/** Which devices are wanted; all conditions must hold. */
export const Search = Type.Object(
  {
    /** Part of any of its texts, in any case. */
    text: Word,
    plant: Word,
    /** `cell-7` in any plant, or `north/cell-7`. */
    cell: Word,
    device: Word,
    label: Word,
    model: Word,
    firmware: Word,
    link: Word,
    /** Whether it has a problem. */
    problem: Type.Optional(Type.Boolean()),
    /** Seconds for which its cell has not been seen. */
    notSeenFor: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  },
  { additionalProperties: false },
)

export type Search = Static<typeof Search>

/** Whether a device is among those wanted. */
export function matcher(search: Search): (row: DeviceRow) => boolean {
  const { text, plant, cell, device, label, model, firmware, link, problem, notSeenFor } = search
  const part = text?.toLowerCase()
  const is = (wanted: string | undefined, found: string) => wanted === undefined || wanted === found
  return (row) =>
    is(plant, row.plant) &&
    (cell === undefined || cell === row.cell || cell === `${row.plant}/${row.cell}`) &&
    is(device, row.device) &&
    (label === undefined || row.labels.includes(label)) &&
    is(model, row.model) &&
    is(firmware, row.firmware) &&
    is(link, row.link) &&
    (problem === undefined || problem === row.severity > 0) &&
    (notSeenFor === undefined || (!row.seen && row.age >= notSeenFor)) &&
    (part === undefined || textsOf(row).some((one) => one.toLowerCase().includes(part)))
}

const textsOf = (row: DeviceRow) => [
  row.address,
  row.host,
  row.model,
  row.serial,
  row.firmware,
  row.link,
  ...row.labels,
  ...row.problems,
]

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

/** Devices on a map, at most: those with a problem first. */
const mostOnMap = 400

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
function mapOf(rows: readonly DeviceRow[]): PlantOnMap[] {
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
  if (wanted.length < mostOnMap)
    wanted.push(...rows.filter(({ severity }) => severity === 0).slice(0, mostOnMap - wanted.length))
  return wanted.slice(0, mostOnMap).sort(problemsFirst)
}

/** `running`, or what it waits for; `stopping`: what was begun is ending; `ended`: nothing more comes. */
export type RolloutState = 'running' | 'paused' | 'waits-for-approval' | 'stopping' | 'ended'

/** How a rollout stands, for people: one row of a table. */
export interface RolloutProgress {
  id: string
  name: string
  do: string
  state: RolloutState
  /** Why it ended early, or is ending. */
  stopped: StopReason | ''
  /** Waves begun, and all. */
  wave: number
  waves: number
  devices: number
  /** Devices that are being worked on. */
  working: number
  /** Devices that have not been begun. */
  waiting: number
  done: number
  failed: number
  unknown: number
  notReached: number
  skipped: number
  /** Of the devices that have ended. */
  percent: number
  /** ISO 8601 */
  startedAt: string
  endedAt: string | null
}

export function progressOf(rollout: Rollout): RolloutProgress {
  const { record } = rollout
  const { plan, ended, open } = record
  const devices = plan.members.length
  const waves = record.waves.length - 1
  return {
    id: plan.id,
    name: plan.name,
    do: plan.do,
    state: stateOf(rollout),
    stopped: record.stopped ?? '',
    wave: Math.min(waves, record.wave + 1),
    waves,
    devices,
    working: open,
    waiting: devices - ended - open,
    done: record.count('done'),
    failed: record.count('failed'),
    unknown: record.count('unknown'),
    notReached: record.count('not-reached'),
    skipped: record.count('skipped'),
    percent: Math.floor((100 * ended) / devices),
    startedAt: plan.startedAt,
    endedAt: record.finishedAt ?? null,
  }
}

function stateOf(rollout: Rollout): RolloutState {
  const { record } = rollout
  if (rollout.isOver) return 'ended'
  if (record.stopped !== undefined) return 'stopping'
  if (record.isPaused) return 'paused'
  return record.waitsForApproval === undefined ? 'running' : 'waits-for-approval'
}

/** A device in the report of a rollout. */
export interface MemberRow extends Partial<Omit<MemberEnding, 'ending'>> {
  address: string
  wave: number
  state: Ending | 'waiting' | 'working'
  phase?: string
  percent?: number
}

/** How each device stands; those that failed first. */
export function membersOf(rollout: Rollout): MemberRow[] {
  const { record } = rollout
  let wave = 0
  const rows = record.plan.members.map((member, index): MemberRow => {
    while (index >= (record.waves[wave] ?? Infinity)) wave++
    const { ending, ...rest } = record.ending(index) ?? {}
    const { phase, percent } = rollout.job(index) ?? {}
    return {
      address: addressOf(member),
      wave,
      state: ending ?? (record.phase(index) === 'waiting' ? 'waiting' : 'working'),
      ...rest,
      ...(phase !== undefined && { phase }),
      ...(percent !== undefined && { percent }),
    }
  })
  return rows.sort((one, other) => rank[one.state] - rank[other.state])
}

const rank: Readonly<Record<MemberRow['state'], number>> = {
  failed: 0,
  unknown: 1,
  'not-reached': 2,
  working: 3,
  waiting: 4,
  skipped: 5,
  done: 6,
}

/** Rows with a problem in a summary, at most. */
const mostProblems = 200

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
    problems: problems.sort(problemsFirst).slice(0, mostProblems),
    map: mapOf(rows),
    rollouts: [...open, ...all.filter(({ isOver }) => isOver)].slice(0, mostRollouts).map(progressOf),
  }
}
