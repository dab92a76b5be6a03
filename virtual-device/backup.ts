import type { Backup, RestoreResult } from '../lib/contract'
import type { Device } from './device'
import { Refusal } from './refusal'
import type { RunningModule } from './running-module'
import { cut } from './shown'

/** Lists of records, by the name that their services and the backup give them. */
const lists = [
  // What its `set` service takes stands in an argument of the record's name, but for grippers.
  { list: 'load_carriers', record: 'load_carrier', node: 'load_carrier_db', part: 'load_carriers' },
  { list: 'regions_of_interest', record: 'region_of_interest', node: 'roi_db', part: 'regions_of_interest' },
  {
    list: 'regions_of_interest_2d',
    record: 'region_of_interest_2d',
    node: 'roi_db',
    part: 'regions_of_interest',
  },
  { list: 'grippers', record: 'gripper', node: 'gripper_db', part: 'grippers' },
] as const

type Kind = (typeof lists)[number]
/** What a backup has of a device. */
export type Parts = Partial<Record<Kind['part'] | 'pipelines', boolean>>

export function backup(device: Device, { pipelines = true, ...parts }: Parts): Backup {
  const kept = lists.filter(({ part }) => parts[part] ?? true)
  return {
    ...(pipelines && { pipelines: pipelineSettings(device) }),
    ...Object.fromEntries(kept.map((kind) => [kind.list, records(databaseOf(device, kind), kind)])),
  }
}

/** What is there replaces what the device has; what does not fit is left out, and named in the warnings. */
export function restore(device: Device, saved: Backup): RestoreResult {
  const warnings: string[] = []
  const attempt = (what: string, action: () => void) => {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warnings.push(cut(`${what}: ${error.message}`, 200))
    }
  }
  for (const kind of lists) {
    const given = saved[kind.list]
    if (given === undefined) continue
    if (!Array.isArray(given)) throw new Refusal(400, `${kind.list}: expected an array`)
    attempt(kind.list, () => replace(databaseOf(device, kind), kind, given, attempt))
  }
  for (const [place, pipeline] of entries(saved, 'pipelines'))
    for (const [name, node] of entries(pipeline, 'nodes')) {
      const writes = entries(node, 'parameters').map(([parameter, value]) => ({ name: parameter, value }))
      attempt(`${place}, ${name}`, () => {
        const found = device.pipelines.get(place)?.nodes.get(name)
        if (!found) throw new Refusal(404, 'not on this device')
        found.parameters.write(writes)
      })
    }
  device.changed()
  return { return_code: { value: 0, message: 'backup restored' }, warnings }
}

const pipelineSettings = (device: Device) =>
  Object.fromEntries(
    [...device.pipelines].map(([place, { nodes }]) => {
      const settable = [...nodes.values()].filter(({ parameters }) => parameters.names.length)
      return [place, { nodes: Object.fromEntries(settable.map((node) => [node.name, settings(node)])) }]
    }),
  )

const settings = ({ parameters }: RunningModule) => ({
  parameters: Object.fromEntries(parameters.names.map((name) => [name, parameters.record(name).value])),
})

function databaseOf({ global, options }: Device, { node }: Kind): RunningModule {
  const found = global.get(options.nodePrefix + node)
  if (!found) throw new Refusal(404, 'not on this device')
  return found
}

function records(database: RunningModule, { list }: Kind): unknown[] {
  const answer = Object.values(database.call(`get_${list}`, {}).response)
  return answer.find((field) => Array.isArray(field)) ?? []
}

function replace(
  database: RunningModule,
  kind: Kind,
  given: readonly unknown[],
  attempt: (what: string, action: () => void) => void,
): void {
  const { list, record } = kind
  const ids = records(database, kind).map((each) => (each as { id: string }).id)
  database.call(`delete_${list}`, { [`${record}_ids`]: ids })
  for (const [index, each] of given.entries())
    attempt(`${list}[${index}]`, () => {
      const args = record === 'gripper' ? (each as Record<string, unknown>) : { [record]: each }
      const { return_code } = database.call(`set_${record}`, args).response
      const { value, message } = return_code as { value: number; message: string }
      if (value < 0) throw new Refusal(400, message)
    })
}

/** The fields of one field of a value that may be anything. @throws Refusal 400 where it is no object */
function entries(value: unknown, key: string): [string, unknown][] {
  const field = isObject(value) && Object.hasOwn(value, key) ? value[key] : {}
  if (!isObject(field)) throw new Refusal(400, `${key}: expected an object`)
  return Object.entries(field)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
