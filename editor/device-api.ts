import type { Input, OperationId, Operations, Result } from '../lib/contract'
import type { Probe } from '../nodes/device-config/admin/probe'
import { savedForm, type DeviceForm } from './device-form'
import { Memory } from './memory'
import { request } from './request'

/** Operations that only read. */
export type ReadId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET' ? Id : never
}[OperationId]
/** Operations that may change something. */
export type ChangeId = Exclude<OperationId, ReadId>

/** A device as used by dialogs and sidebar. Every method rejects with a `DeviceProblem` only. */
export interface DeviceApi {
  /** Reads once for all requests within some minutes; with `fresh`, always from the device. */
  read: <Id extends ReadId>(
    id: Id,
    input?: Input<Id> & object,
    options?: { fresh?: boolean },
  ) => Promise<Result<Id>>
  /** Calls immediately. `deadline` is in milliseconds, by default that of the device's settings. */
  call: <Id extends ChangeId>(
    id: Id,
    input?: Input<Id> & object,
    options?: { deadline?: number },
  ) => Promise<Result<Id>>
  /** The answer of a read-only service without arguments of a global node; cached like reads. */
  ask: (node: string, service: string, options?: { fresh?: boolean }) => Promise<Record<string, unknown>>
  /** Clears the cache. */
  forget: () => void
}

/** Shared by all dialogs, each of which runs this script. */
const shared = globalThis as { visionMemory?: Memory }

function memoryOfAll(): Memory {
  const memory = new Memory()
  // Other flows, such as those of another project, may have a different device with the same id.
  for (const event of ['deploy', 'flows:loaded']) RED.events.on(event, () => memory.clear())
  return memory
}
const memory = (shared.visionMemory ??= memoryOfAll())

/** Asks again in place of failures that are still cached. */
export const forgetFailures = (): void => memory.forgetFailures()

/**
 * The device of a configuration node, deployed or not, or of a form. Reads of a device that runs with the editor's
 * settings need the permission `vision.read`, everything else `vision.write`.
 */
export function deviceApi(device: string | DeviceForm): DeviceApi {
  const form = typeof device === 'string' ? unsavedForm(device) : device
  const key = form || typeof device !== 'string' ? JSON.stringify(form) : device
  const at = (kind: 'read' | 'call', id: string) =>
    `vision-devices/${form ? 'probe' : encodeURIComponent(key)}/${kind}/${id}`

  const ask = (id: ReadId, input: object) =>
    form
      ? request('POST', at('read', id), { device: form, input })
      : request('GET', `${at('read', id)}?${$.param(input, true)}`)

  const call = (id: ChangeId, input: object = {}, { deadline }: { deadline?: number } = {}) =>
    request('POST', at('call', id), { ...(form && { device: form }), input, deadline })

  const api = {
    read: (id: ReadId, input: object = {}, { fresh = false } = {}) =>
      memory.get(key, `${id} ${JSON.stringify(input)}`, fresh, () => ask(id, input)),
    call,
    ask: (node: string, service: string, { fresh = false } = {}) =>
      memory.get(key, `${node} ${service}`, fresh, async () => {
        const answer = await call('callGlobalService', { node, service, args: {} })
        return (answer as Result<'callGlobalService'>).response
      }),
    forget: () => memory.forget(key),
  }
  // The routes check their answers against the contract.
  return api as DeviceApi
}

/** Asks the device of a form for its identity. */
export const probeForm = (form: DeviceForm) =>
  request('POST', 'vision-devices/probe', { device: form }) as Promise<Probe>

/** The editor's settings of a device, unless it is deployed with exactly these. */
function unsavedForm(id: string): DeviceForm | undefined {
  const node = RED.nodes.node(id) as (EditorNode & { changed?: boolean; d?: boolean; z?: string }) | null
  // Inside a subflow, each instance has a device of its own with its own id.
  const isElsewhere = node?.z && RED.nodes.subflow(node.z)
  return node && (node.changed || node.d || isElsewhere) ? savedForm(node) : undefined
}
