import type { AdminRefusal } from '../nodes/shared/admin'
import { sharedText, afterClick, type Dialog, stored, text } from './dialog'
import type { Input, OperationId, Operations, Result } from '../lib/contract'
import type { Probe } from '../nodes/device-config/admin/probe'
import type { DeviceConfigFields, DeviceCredentials } from '../nodes/device-config/fields'

export class DeviceProblem extends Error {
  override readonly name = 'DeviceProblem'
  readonly code: AdminRefusal['code'] | 'notAllowed' | 'noServer'
  /** Details, such as the answer of a refusing service. */
  override readonly cause: AdminRefusal['cause']

  constructor({
    code,
    message,
    cause,
  }: Pick<DeviceProblem, 'code' | 'message'> & { cause?: AdminRefusal['cause'] }) {
    super(message)
    this.code = code
    this.cause = cause
  }
}

/** Not by class: each run of this script has its own, and they share a cache. */
export const problemIn = (rejection: unknown): DeviceProblem | undefined =>
  (rejection as Partial<DeviceProblem> | undefined)?.name === 'DeviceProblem'
    ? (rejection as DeviceProblem)
    : undefined

/** Node-RED does not run the device; what a device itself does not find has a status. */
export const isNotDeployed = ({ code, cause }: DeviceProblem): boolean =>
  code === 'NOT_FOUND' && cause?.status === undefined

/** Only jQuery adds the editor's login, and only to a relative address. */
export async function request(method: 'GET' | 'POST', url: string, body?: object): Promise<unknown> {
  try {
    return (await $.ajax({
      method,
      url,
      dataType: 'json',
      headers: { 'accept-language': RED.i18n.lang() },
      ...(body && { contentType: 'application/json', data: JSON.stringify(body) }),
    })) as unknown
  } catch (failed) {
    throw problemOf(failed as JQuery.jqXHR)
  }
}

export function problemOf({
  status,
  responseJSON,
}: Pick<JQuery.jqXHR, 'status' | 'responseJSON'>): DeviceProblem {
  if (status === 401 || status === 403)
    return new DeviceProblem({ code: 'notAllowed', message: sharedText('problem.notAllowed') })
  const refusal = responseJSON as AdminRefusal | undefined
  if (!refusal?.message)
    return new DeviceProblem({ code: 'noServer', message: sharedText('problem.noServer') })
  return new DeviceProblem(refusal)
}

/** Milliseconds in the cache; failures only for concurrent requests. */
const goodFor = { answer: 300_000, failure: 3000 }

interface MemoryEntry {
  answer: Promise<unknown>
  isFailure: boolean
  until: number
}

class Memory {
  readonly #devices = new Map<string, Map<string, MemoryEntry>>()

  get(device: string, question: string, fresh: boolean, ask: () => Promise<unknown>): Promise<unknown> {
    const entries = this.#devices.get(device) ?? new Map<string, MemoryEntry>()
    this.#devices.set(device, entries)
    const known = entries.get(question)
    if (known && !fresh && Date.now() < known.until) return known.answer
    const entry = { answer: ask(), isFailure: false, until: Date.now() + goodFor.answer }
    entry.answer.catch(() => {
      entry.isFailure = true
      entry.until = Date.now() + goodFor.failure
    })
    entries.set(question, entry)
    return entry.answer
  }

  forget(device: string): void {
    this.#devices.delete(device)
  }

  forgetFailures(): void {
    for (const entries of this.#devices.values())
      for (const [question, { isFailure }] of entries) if (isFailure) entries.delete(question)
  }

  clear(): void {
    this.#devices.clear()
  }
}

type ReadId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET' ? Id : never
}[OperationId]

type ChangeId = Exclude<OperationId, ReadId>

/** All methods reject with `DeviceProblem` only. */
export interface DeviceApi {
  /** Cached for some minutes; `fresh` always reads from the device. */
  read: <Id extends ReadId>(
    id: Id,
    input?: Input<Id> & object,
    options?: { fresh?: boolean },
  ) => Promise<Result<Id>>
  /** Immediately. `deadline` in ms @default that of the device's settings */
  call: <Id extends ChangeId>(
    id: Id,
    input?: Input<Id> & object,
    options?: { deadline?: number },
  ) => Promise<Result<Id>>
  /** A read-only service without arguments of a global node; cached like reads. */
  ask: (node: string, service: string, options?: { fresh?: boolean }) => Promise<Record<string, unknown>>
  forget: () => void
}

const shared = globalThis as { visionMemory?: Memory }

function memoryOfAll(): Memory {
  const memory = new Memory()
  // Another flow or project may have a different device with the same id.
  for (const event of ['deploy', 'flows:loaded']) RED.events.on(event, () => memory.clear())
  return memory
}

const memory = (shared.visionMemory ??= memoryOfAll())

const forgetFailures = (): void => memory.forgetFailures()

/** By config node or form. A device that runs with the editor's settings needs `vision.read`; all others `vision.write`. */
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

export const probeForm = (form: DeviceForm) =>
  request('POST', 'vision-devices/probe', { device: form }) as Promise<Probe>

/** Undefined if deployed with exactly these settings. */
function unsavedForm(id: string): DeviceForm | undefined {
  const node = RED.nodes.node(id) as (EditorNode & { changed?: boolean; d?: boolean; z?: string }) | null
  // In a subflow, each instance has its own device and id.
  const isElsewhere = node?.z && RED.nodes.subflow(node.z)
  return node && (node.changed || node.d || isElsewhere) ? savedForm(node) : undefined
}

/** Missing or placeholder credentials are as stored. */
interface DeviceForm extends Partial<Record<keyof DeviceConfigFields, string | number>>, DeviceCredentials {
  id: string
  /** Flow; empty for all flows. */
  z: string
}

export function openForm({ node, fields, value }: Dialog): DeviceForm {
  const scope = $('#red-ui-editor-config-scope')
  const z = text(scope.length ? scope.val() : node['z'])
  return { id: node.id, z, ...Object.fromEntries(fields.map((field) => [field, value(field).trim()])) }
}

function savedForm(node: EditorNode): DeviceForm {
  const { defaults, credentials = {} } = node._def
  const typed = node['credentials'] as Readonly<Record<string, unknown>> | undefined
  return {
    id: node.id,
    z: text(node['z']),
    ...Object.fromEntries(Object.keys(defaults).map((field) => [field, text(stored(node, field))])),
    ...Object.fromEntries(
      Object.keys(credentials).flatMap((name) =>
        typeof typed?.[name] === 'string' ? [[name, typed[name]]] : [],
      ),
    ),
  }
}

/** Selected in a dialog; the dialog shows why it does not answer. */
export function dialogDevice(dialog: Dialog): DeviceApi | undefined {
  const id = dialog.value('device')
  if (!id || !RED.nodes.node(id)) return undefined
  const api = deviceApi(id)
  return {
    ...api,
    read: (operation, input, options) => awaited(dialog, api.read(operation, input, options)),
    ask: (node, service, options) => awaited(dialog, api.ask(node, service, options)),
  }
}

/** Undefined if the message or another source has the value. */
export function fixedText({ input, value }: Dialog, field: string): string | undefined {
  const element = input(field)
  if (!element.length) return undefined
  const isTyped = element.hasClass('red-ui-typedInput')
  if (isTyped && element.typedInput('type') !== 'str') return undefined
  const text = value(field).trim()
  return text.includes('${') ? undefined : text
}

/** Milliseconds until the next request; doubled after each failure. */
const pause = { first: 1000, longest: 15_000 }

type IsShown = (problem: DeviceProblem) => boolean

type Await = (answer: Promise<unknown>, isShown: IsShown) => void

/** By form, because saving opens a dialog a second time. */
const troubles = new WeakMap<HTMLElement, Await>()

/**
 * Passes on an awaited answer. Without one, the dialog shows why, and triggers `vision-refresh` on demand and, if the reason
 * may pass, after a while; all waiting parts listen to it.
 * @param isShown problems that the dialog shows; by default all that are not shown at a field
 */
export function awaited<Answer>(
  { form, input }: Dialog,
  answer: Promise<Answer>,
  isShown: IsShown = isNoName,
): Promise<Answer> {
  const [element] = form.get()
  if (!element) return answer
  const wait = troubles.get(element) ?? deviceTrouble(form, input('device').closest('.form-row'))
  troubles.set(element, wait)
  wait(answer, isShown)
  return answer
}

/** May pass without changes in this dialog. */
export const isPassing: IsShown = (problem) => passing.has(problem.code) || isNotDeployed(problem)

const passing: ReadonlySet<DeviceProblem['code']> = new Set([
  'noServer',
  'failed',
  'UNREACHABLE',
  'TIMEOUT',
  'STARTING',
  'RATE_LIMITED',
  'BUSY',
  'ABORTED',
  'OUTCOME_UNKNOWN',
  'DEVICE_FAULT',
])

const isNoName: IsShown = (problem) => problem.code !== 'NOT_FOUND' || isNotDeployed(problem)

/** Below the row of the device, or at the top of the dialog. */
function deviceTrouble(form: JQuery, row: JQuery): Await {
  const text = $('<span role="status">')
  const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
    .text(sharedText('pick.again'))
    .on('click', () => {
      shown = sharedText('pick.asking')
      text.text(shown)
      retry()
    })
  const line = $('<div class="vision-trouble" hidden>').append(text, ' ', button)
  if (row.length) line.insertAfter(row)
  else line.prependTo(form)
  let shown = ''
  let waiting = 0
  let problem: DeviceProblem | undefined
  let failures = 0
  let timer: number | undefined

  function retry() {
    clearTimeout(timer)
    timer = undefined
    if (!form[0]?.isConnected) return
    forgetFailures()
    form.trigger('vision-refresh')
    // The parts repeat their requests in the same turn, if at all.
    setTimeout(() => {
      if (!waiting) ended()
    })
  }

  function ended() {
    const told = problem
    problem = undefined
    if (!told) failures = 0
    else if (isPassing(told))
      timer ??= window.setTimeout(retry, Math.min(pause.first * 2 ** failures++, pause.longest))
    announce(told?.message ?? '')
  }

  function announce(now: string) {
    if (now === shown) return
    shown = now
    afterClick(line, () => {
      text.text(shown)
      line.prop('hidden', !shown)
    })
  }

  return (answer, isShown) => {
    waiting++
    const settle = () => {
      if (--waiting === 0) ended()
    }
    answer.then(settle, (failed: unknown) => {
      const found = problemIn(failed)
      if (found && isShown(found)) problem = found
      settle()
    })
  }
}
