import { Type, type Static } from '../../lib/typebox'
import type { Backup, RestoreResult } from '../../lib/contract'
import { checkedField, type RunningModule } from './running-module'
import type { Device } from './device'
import { preferencesOf, restorePreferences } from './nodes'
import { Refusal, cut } from '../values'

const lists = [
  // Its `set` service takes the record in an argument of the record's name, except for grippers.
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

type BackupList = (typeof lists)[number]
type BackupParts = Partial<Record<BackupList['part'] | 'pipelines', boolean>>

const values = Type.Record(Type.String(), Type.Unknown())
const node = Type.Object({
  parameters: Type.Optional(values),
  preferred_orientation: Type.Optional(values),
  sorting_strategies: Type.Optional(values),
})
const pipeline = Type.Object({ nodes: Type.Optional(Type.Record(Type.String(), node)) })
const records = Type.Optional(Type.Array(Type.Unknown()))
/** Our own structure; the specification does not describe it. */
const Content = Type.Object({
  pipelines: Type.Optional(Type.Record(Type.String(), pipeline)),
  load_carriers: records,
  regions_of_interest: records,
  regions_of_interest_2d: records,
  grippers: records,
})

export function backup(device: Device, { pipelines = true, ...parts }: BackupParts): Backup {
  const selected = lists.filter(({ part }) => parts[part] ?? true)
  return {
    ...(pipelines && { pipelines: pipelineSettings(device) }),
    ...Object.fromEntries(selected.map((kind) => [kind.list, recordsIn(databaseOf(device, kind), kind)])),
  }
}

/** Replaces the device's settings by those in the backup; invalid ones are skipped and named in the warnings. */
export function restore(device: Device, saved: Backup): RestoreResult {
  const content = checkedField('backup', Content, saved) as Static<typeof Content>
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
    const given = content[kind.list]
    if (!given) continue
    attempt(kind.list, () => replace(databaseOf(device, kind), kind, given, attempt))
  }
  for (const [place, { nodes = {} }] of Object.entries(content.pipelines ?? {}))
    for (const [name, { parameters = {}, ...preferences }] of Object.entries(nodes)) {
      const writes = Object.entries(parameters).map(([parameter, value]) => ({ name: parameter, value }))
      attempt(`${place}, ${name}`, () => {
        const found = device.pipelines.get(place)?.nodes.get(name)
        if (!found) throw new Refusal(404, 'not on this device')
        found.parameters.write(writes)
        restorePreferences(found, preferences)
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

const settings = (node: RunningModule) => ({
  parameters: Object.fromEntries(
    node.parameters.names.map((name) => [name, node.parameters.record(name).value]),
  ),
  ...preferencesOf(node),
})

function databaseOf({ global, options }: Device, { node }: BackupList): RunningModule {
  const found = global.get(options.nodePrefix + node)
  if (!found) throw new Refusal(404, 'not on this device')
  return found
}

function recordsIn(database: RunningModule, { list }: BackupList): unknown[] {
  const answer = Object.values(database.call(`get_${list}`, {}).response)
  return answer.find((field) => Array.isArray(field)) ?? []
}

function replace(
  database: RunningModule,
  kind: BackupList,
  given: readonly unknown[],
  attempt: (what: string, action: () => void) => void,
): void {
  const { list, record } = kind
  const ids = recordsIn(database, kind).map((each) => (each as { id: string }).id)
  database.call(`delete_${list}`, { [`${record}_ids`]: ids })
  for (const [index, each] of given.entries())
    attempt(`${list}[${index}]`, () => {
      const args = record === 'gripper' ? (each as Record<string, unknown>) : { [record]: each }
      const { return_code } = database.call(`set_${record}`, args).response
      const { value, message } = return_code as { value: number; message: string }
      if (value < 0) throw new Refusal(400, message)
    })
}
