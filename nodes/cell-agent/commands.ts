import type { Node, NodeAPI } from 'node-red'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command, CommandKind } from '../../lib/fleet/messages'
import type { CommandWork, Ending } from '../../lib/fleet/agent/agent'
import type { CellDevice, CellDevices, SettingsPrints } from './cell-devices'
import type { FlowRuns } from './flow-runs'
import { inPipeline } from '../device/known-nodes'
import { valuesByNode, writeNodes } from '../set-parameter/set-parameter'
import { byName } from '../shared/outcome'
import { sentencesOf } from '../sentences'
import { refusal, refusedError } from '../../lib/client/error-answer'
import { isObject } from '../shared/is-object'
import { placeOf, detailOf } from '../shared/node-error'
import type { Backup } from '../../lib/contract'
import { compareBackups } from '../../lib/system/compare-backups'
import { givenBackup } from '../backup/backup'
import { allowedPlace, filePlace } from '../shared/allowed-place'
import { loadFleet } from '../shared/load-later'
import { VisionError } from '../../lib/client/vision-error'
import { withCode } from '../shared/sentences'
import { updateFirmware } from './update-command'

const { invalidInput } = sentencesOf('cell-agent')

/** What the work on commands shares. */
export interface WorkParts {
  RED: NodeAPI
  node: Node
  devices: CellDevices
  prints: SettingsPrints
  flows: FlowRuns
  /** Folder of backups and artifacts, as in the settings. */
  folder: string
  /** Hosts from which artifacts are fetched. */
  sources: readonly string[]
  /** Bytes. */
  mostArtifact: number
  /** Seconds. */
  patience: number
}

/** Executes one kind of command on a device. @throws VisionError */
export type DeviceCommand = (
  target: CellDevice,
  command: Command,
  work: CommandWork,
  parts: WorkParts,
) => Promise<Ending>

const done = (result: unknown): Ending => ({ state: 'done', result })

/** `{ pipeline?, node, names? }`: the values of the parameters of one node, or of those with these names. */
const readParameters: DeviceCommand = async ({ device }, { args }, { signal }) => {
  const { connection } = device
  const node = textIn(args, 'node')
  const { names } = args
  if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
    throw invalidInput('cell-argument', { argument: 'names' })
  const records = await connection.onNode({ pipeline: pipelineIn(args), node, signal }, (target) =>
    connection.client.getParameters(
      { ...inPipeline(target), ...(names !== undefined && { name: names }) },
      { signal },
    ),
  )
  return done({ parameters: { [node]: byName(records, ({ value }) => value) } })
}

/** `{ pipeline?, parameters: { node: { name: value } } }`: all are written, or what was written is put back. */
const setParameters: DeviceCommand = async ({ name, device }, { args }, { signal }, { prints }) => {
  const wanted = valuesByNode(args['parameters'])
  try {
    const written = await writeNodes(device.connection, wanted, {
      pipeline: pipelineIn(args),
      putsBack: true,
      signal,
    })
    return done({
      parameters: Object.fromEntries(
        written.map(({ node, records }) => [node, byName(records, ({ value }) => value)]),
      ),
    })
  } finally {
    prints.changed(name)
  }
}

type Arguments = Readonly<Record<string, unknown>>

/** @throws INVALID_INPUT */
function textIn(args: Arguments, argument: string): string {
  const text = args[argument]
  if (typeof text !== 'string' || text === '') throw invalidInput('cell-argument', { argument })
  return text
}

/** @default '0' @throws INVALID_INPUT */
const pipelineIn = (args: Arguments): string =>
  args['pipeline'] === undefined ? '0' : textIn(args, 'pipeline')

/** `{ pipeline?, node, service, args? }`: the answer of the service. */
const callService: DeviceCommand = async ({ name, device }, { args }, { signal }, { prints }) => {
  const { connection } = device
  const { client } = connection
  const [node, service] = [textIn(args, 'node'), textIn(args, 'service')]
  const given = args['args'] ?? {}
  if (!isObject(given)) throw invalidInput('cell-argument', { argument: 'args' })
  try {
    const { response } = await connection.onNode({ pipeline: pipelineIn(args), node, signal }, (target) => {
      const call = { node: target.node, service, args: given }
      return target.scope === 'global'
        ? client.callGlobalService(call, { signal })
        : client.callService({ pipeline: target.pipeline, ...call }, { signal })
    })
    const refused = refusal(response)
    if (refused) throw refusedError(refused, { operation: 'callService', what: service, ...placeOf(client) })
    return done(response)
  } finally {
    prints.changed(name)
  }
}

/** Differences in an answer. */
const mostReported = 500

/** Backups that are kept of each device. */
const mostKept = 200

/** `{ content? }`: saves a backup in the folder of the agent, and sends it along if `content` is true. */
const backup: DeviceCommand = async ({ name, device }, { id, args }, { signal }, parts) => {
  const saved = await device.connection.client.getBackup({}, { signal })
  const text = `${JSON.stringify(saved, null, 2)}\n`
  const folder = join('backups', name.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_'))
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const file = join(folder, `${stamp}_${id.replace(/[^\w-]/g, '_').slice(-12)}.json`)
  const place = await placedIn(parts)(file)
  try {
    await place.write(text)
  } catch (error) {
    throw invalidInput('cell-unwritable', { file: place.path, reason: detailOf(error) }, error)
  }
  await dropOldest(filePlace(parts.RED, join(parts.folder, folder)))
  return done({
    file,
    bytes: Buffer.byteLength(text),
    fingerprint: loadFleet().fingerprintOf(saved),
    ...(args['content'] === true && { content: saved }),
  })
}

/** `{ file }` in the folder of the agent, or `{ backup }` itself. */
const restore: DeviceCommand = async ({ name, device }, command, { signal }, parts) => {
  const { client } = device.connection
  const given = await backupOf(command, parts)
  try {
    const restored = await client.restoreBackup({ backup: given }, { signal })
    const refused = refusal(restored)
    if (refused) throw refusedError(refused, { operation: 'restoreBackup', ...placeOf(client) })
    return done({ warnings: restored.warnings })
  } finally {
    parts.prints.changed(name)
  }
}

/** `{ file }` or `{ backup }`: what differs on the device, in the parts that the backup has. */
const compare: DeviceCommand = async ({ device }, command, { signal }, parts) => {
  const reference = await backupOf(command, parts)
  const present = await device.connection.client.getBackup({}, { signal })
  const wanted = Object.entries(present).filter(([part]) => Object.hasOwn(reference, part))
  const differences = compareBackups(reference, Object.fromEntries(wanted))
  return done({
    same: differences.length === 0,
    count: differences.length,
    differences: differences.slice(0, mostReported),
    fingerprint: loadFleet().fingerprintOf(present),
  })
}

const backupOf = ({ args }: Command, parts: WorkParts): Promise<Backup> =>
  givenBackup(args['backup'] ?? args['file'], 'backup', placedIn(parts))

/** Files below the folder of the agent, and no others. */
const placedIn =
  ({ RED, node, folder }: WorkParts) =>
  (file: string) =>
    allowedPlace(RED, node, folder)(join(folder, file), false)

async function dropOldest(folder: string): Promise<void> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.json')).sort()
  for (const file of files.slice(0, -mostKept)) await rm(join(folder, file), { force: true })
}

const onDevice: Partial<Record<CommandKind, DeviceCommand>> = {
  'read-parameters': readParameters,
  'set-parameters': setParameters,
  'call-service': callService,
  backup,
  restore,
  compare,
  'update-firmware': updateFirmware,
}

/** Executes a command that was allowed. */
export async function execute(command: Command, work: CommandWork, parts: WorkParts): Promise<Ending> {
  if (command.do === 'run-flow') return parts.flows.run(command, work.signal)
  const run = onDevice[command.do]
  try {
    if (!run) throw new Error(command.do)
    return await run(parts.devices.named(command.device), command, work, parts)
  } catch (error) {
    return endingOf(error, command.do)
  }
}

/** With these, nothing has reached the device. */
const nothingDone: ReadonlySet<string> = new Set(['INVALID_INPUT', 'FORBIDDEN', 'BUSY'])

/** With these, a device may have executed a write. */
const unclear: ReadonlySet<string> = new Set(['OUTCOME_UNKNOWN', 'INTERNAL'])

/** How a command ends with an error. */
export function endingOf(error: unknown, kind?: CommandKind): Ending {
  const { code, message, cause } = withCode(error)
  const parameters = error instanceof VisionError ? error.cause?.parameters : undefined
  const isRefused = nothingDone.has(code) && parameters === undefined && !hasStatus(cause)
  const isUnknown = unclear.has(code) && kind !== undefined && !loadFleet().readingKinds.has(kind)
  return {
    state: isUnknown ? 'unknown' : isRefused ? 'refused' : 'failed',
    code,
    text: message.slice(0, 2000),
    ...(parameters && { result: { parameters } }),
  }
}

/** It is an answer of the device. */
const hasStatus = (cause: unknown) => typeof cause === 'object' && cause !== null && 'status' in cause
