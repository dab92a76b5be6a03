import type { NodeInfo } from '../../../lib/contract'
import { typedAddress } from '../../../lib/contract/reading/address'
import type { DeviceConfigNode } from '../deployed-device'
import { inquiry, type Inquiry } from './inquiry'
import { abortedAfter } from '../../../lib/kernel/timers'

/** Newest entries of each log. */
const newest = 100
/** Milliseconds within which a device must deliver its report. */
const patience = 30_000

/** What is known about a device, and what it reports at the moment. */
export async function deviceReport(node: DeviceConfigNode, ended: AbortSignal) {
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
  const told: object[] = []
  const pipelines = Object.keys((await ask('listPipelines')) ?? { '0': {} })
  for (const pipeline of pipelines)
    for (const { name: node, status, services } of (await ask('listNodes', { pipeline })) ?? [])
      told.push({
        pipeline,
        ...head(node, status, services),
        parameters: await ask('getParameters', { pipeline, node }),
        values: (await ask('getNodeStatus', { pipeline, node }))?.values,
      })
  for (const { name: node, status, services } of (await ask('listGlobalNodes')) ?? [])
    told.push({
      ...head(node, status, services),
      values: (await ask('getGlobalNodeStatus', { node }))?.values,
    })
  return told
}

const head = (name: string, status: string, services: NodeInfo['services']) => ({ name, status, services })

async function logsOf({ ask }: Inquiry) {
  const told: unknown[] = []
  for (const { name: log } of (await ask('listLogs')) ?? [])
    told.push(await ask('getLog', { log, limit: newest }))
  return told
}
