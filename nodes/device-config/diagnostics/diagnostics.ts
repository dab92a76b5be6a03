/** The diagnostics file: what the devices report, and what the flows use on them. */
import type { NodeAPI } from 'node-red'
import { VisionError } from '../../../lib/client/vision-error'
import type { OperationId, Result, NodeInfo } from '../../../lib/contract'
import { codeOf, detailOf } from '../../shared/node-error'
import type { Inspection } from '../../device/device'
import { typedAddress } from '../../../lib/contract/reading/address'
import { type DeviceConfigNode, deployedDevices } from '../deployed-device'
import { abortedAfter, inSlices } from '../../../lib/kernel/timers'
import { packageVersion } from '../../../lib/files/package-version'
import { jsonTextSteps, type JsonText } from '../../shared/admin'
import { knownSecrets, withoutSecrets } from './secrets'

export interface Unanswered {
  operation: OperationId
  input: object
  code: string
  message: string
}

/** Queries a device and collects what it does not answer. */
interface Inquiry {
  /** Undefined if the device does not answer. */
  ask: <Id extends OperationId>(id: Id, input?: object) => Promise<Result<Id> | undefined>
  unanswered: Unanswered[]
}

/** After these errors, the device is not queried again. */
const silent: ReadonlySet<string> = new Set([
  'UNREACHABLE',
  'TIMEOUT',
  'STARTING',
  'UNAUTHORIZED',
  'INVALID_INPUT',
  'ABORTED',
])

/** @param inspection opens the device; may throw INVALID_INPUT */
export function inquiry(inspection: () => Inspection, address: string, signal: AbortSignal): Inquiry {
  const unanswered: Unanswered[] = []
  let isSilent = false

  async function ask(operation: OperationId, input: object = {}): Promise<unknown> {
    if (isSilent) return undefined
    try {
      return await inspection().ask(operation, input, { signal })
    } catch (error) {
      const code = codeOf(error) ?? 'failed'
      isSilent = silent.has(code)
      unanswered.push({ operation, input, code, message: messageOf(error, address) })
      return undefined
    }
  }
  return { ask, unanswered }
}

/** In en-US, for support; the address stays as typed, without environment variables. */
const messageOf = (error: unknown, device: string): string =>
  error instanceof VisionError ? error.retold({ device }).message : detailOf(error)

const newest = 100

/** Milliseconds for the report of a device. */
const patience = 30_000

async function deviceReport(node: DeviceConfigNode, ended: AbortSignal) {
  const { id, name = '', fields, device } = node
  const { login, format, deadline, connectDeadline, pace, concurrency, queue, healthInterval } = fields
  const { imagePort, imageTls } = fields
  const address = typedAddress(fields.address).shown
  const signal = AbortSignal.any([ended, abortedAfter(patience)])
  const asking = inquiry(() => device.inspection, address, signal)
  const { ask, unanswered } = asking
  return {
    id,
    name,
    address,
    settings: {
      ...{ login, format, deadline, connectDeadline, pace, concurrency, queue, healthInterval },
      ...{ imagePort, imageTls },
    },
    state: device.isWatched ? device.state : 'unwatched',
    system: await ask('getSystem'),
    pipelines: await ask('listPipelines'),
    nodes: await nodesOf(asking),
    streams: await ask('listStreams'),
    logs: await logsOf(asking),
    unanswered,
  }
}

async function nodesOf({ ask }: Inquiry) {
  const report: object[] = []
  const pipelines = Object.keys((await ask('listPipelines')) ?? { '0': {} })
  for (const pipeline of pipelines)
    for (const { name: node, status, services } of (await ask('listNodes', { pipeline })) ?? [])
      report.push({
        pipeline,
        ...head(node, status, services),
        parameters: await ask('getParameters', { pipeline, node }),
        values: (await ask('getNodeStatus', { pipeline, node }))?.values,
      })
  for (const { name: node, status, services } of (await ask('listGlobalNodes')) ?? [])
    report.push({
      ...head(node, status, services),
      values: (await ask('getGlobalNodeStatus', { node }))?.values,
    })
  return report
}

const head = (name: string, status: string, services: NodeInfo['services']) => ({ name, status, services })

async function logsOf({ ask }: Inquiry) {
  const report: unknown[] = []
  for (const { name: log } of (await ask('listLogs')) ?? [])
    report.push(await ask('getLog', { log, limit: newest }))
  return report
}

interface NodeUse {
  id: string
  type: string
  name: string
  flow: string
  /** `{ pipeline: '0', node: 'dev_camera', parameter: 'fps' }`; without values from a message or an expression. */
  names: Record<string, string>
}

const naming = [
  'pipeline',
  'node',
  'parameter',
  'service',
  'stream',
  'log',
  'template',
  'which',
  'what',
  'action',
]

function usesOf(RED: NodeAPI, device: string): NodeUse[] {
  const found: NodeUse[] = []
  RED.nodes.eachNode((definition) => {
    const fields = definition as unknown as Record<string, unknown>
    if (fields['device'] !== device || !definition.type.startsWith('vision-')) return
    const names: Record<string, string> = {}
    for (const field of naming) {
      const value = fields[field]
      const isFixed = (fields[`${field}Type`] ?? 'str') === 'str'
      if (isFixed && typeof value === 'string' && value !== '') names[field] = value
    }
    const { id, type, name } = definition
    found.push({ id, type, name, flow: typeof fields['z'] === 'string' ? fields['z'] : '', names })
  })
  return found
}

/** For remote diagnosis, without secrets. Only reads. */
export async function diagnostics(RED: NodeAPI, signal: AbortSignal): Promise<JsonText> {
  const version = packageVersion()
  const devices = await Promise.all(
    [...deployedDevices(RED)].map(async ([id, node]) => ({
      ...(await deviceReport(node, signal)),
      uses: usesOf(RED, id),
    })),
  )
  const report = {
    made: new Date().toISOString(),
    versions: {
      package: version,
      nodeRed: (RED.settings as { version?: string }).version,
      node: process.versions.node,
      system: `${process.platform} ${process.arch}`,
    },
    devices,
  }
  return inSlices(jsonTextSteps(await inSlices(withoutSecrets(report, knownSecrets(RED)))))
}
