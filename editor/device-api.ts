import type { AdminRefusal } from '../nodes/shared/admin'
import { sharedText, afterClick, type Dialog, stored, text } from './dialog'
import type { Input, OperationId, Operations, Result } from '../lib/contract'
import type { Probe } from '../nodes/device-config/admin/probe'
import type { DeviceConfigFields, DeviceCredentials } from '../nodes/device-config/fields'

/** Why a device did not answer: a sentence for the user, and a code. */
export class DeviceProblem extends Error {
  override readonly name = 'DeviceProblem'
  readonly code: AdminRefusal['code'] | 'notAllowed' | 'noServer'
  /** Further details, such as the answer of a service that refused. */
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

/** The problem in a rejection. Not by its class: each run of this script has its own, and they share a cache. */
export const problemIn = (rejection: unknown): DeviceProblem | undefined =>
  (rejection as Partial<DeviceProblem> | undefined)?.name === 'DeviceProblem'
    ? (rejection as DeviceProblem)
    : undefined

/** Whether Node-RED does not run the device. What a device itself does not find has a status. */
export const isNotDeployed = ({ code, cause }: DeviceProblem): boolean =>
  code === 'NOT_FOUND' && cause?.status === undefined

/** Sends a request to this Node-RED. Only jQuery adds the editor's login, and only to a relative address. */
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

/** The problem in an answer that is no success. */
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

/** Milliseconds. An answer is cached for a while; a failure only for concurrent requests. */
const goodFor = { answer: 300_000, failure: 3000 }

interface MemoryEntry {
  answer: Promise<unknown>
  isFailure: boolean
  until: number
}

/** Cache of the devices' answers, by device and question. */
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

/** Operations that only read. */
type ReadId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET' ? Id : never
}[OperationId]

/** Operations that may change something. */
type ChangeId = Exclude<OperationId, ReadId>

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
const forgetFailures = (): void => memory.forgetFailures()

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

/** A device as a form describes it; credentials that are missing, or are a placeholder, are as stored. */
interface DeviceForm extends Partial<Record<keyof DeviceConfigFields, string | number>>, DeviceCredentials {
  /** Id of the configuration node. */
  id: string
  /** Flow that it belongs to; empty for all flows. */
  z: string
}

/** The present content of a device's open form. */
export function openForm({ node, fields, value }: Dialog): DeviceForm {
  const scope = $('#red-ui-editor-config-scope')
  const z = text(scope.length ? scope.val() : node['z'])
  return { id: node.id, z, ...Object.fromEntries(fields.map((field) => [field, value(field).trim()])) }
}

/** The editor's settings of a device that is not deployed with these. */
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

/** The device selected in a dialog, which says why it does not answer and reads again. */
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

/** The fixed text in a field with a kind; undefined if the message or another source has the value. */
export function fixedText({ input, value }: Dialog, field: string): string | undefined {
  const element = input(field)
  if (!element.length) return undefined
  const isTyped = element.hasClass('red-ui-typedInput')
  if (isTyped && element.typedInput('type') !== 'str') return undefined
  const text = value(field).trim()
  return text.includes('${') ? undefined : text
}

/** Milliseconds until the device is asked again; doubled after each failure in a row. */
const pause = { first: 1000, longest: 15_000 }

type IsTold = (problem: DeviceProblem) => boolean

type Await = (answer: Promise<unknown>, isTold: IsTold) => void

/** Keyed by form, because saving opens a dialog a second time. */
const troubles = new WeakMap<HTMLElement, Await>()

/**
 * Passes on an answer that a part of the dialog waits for. If there is none, the dialog says why, and triggers
 * `vision-refresh` after a while if the reason may pass, and on demand: every part that waits for answers listens to it.
 * @param isTold which problems the dialog says; by default all that are not shown at the field in question
 */
export function awaited<Answer>(
  { form, input }: Dialog,
  answer: Promise<Answer>,
  isTold: IsTold = isNoName,
): Promise<Answer> {
  const [element] = form.get()
  if (!element) return answer
  const wait = troubles.get(element) ?? deviceTrouble(form, input('device').closest('.form-row'))
  troubles.set(element, wait)
  wait(answer, isTold)
  return answer
}

/** Whether the reason may pass without anybody's doing in this dialog. */
export const isPassing: IsTold = (problem) => passing.has(problem.code) || isNotDeployed(problem)

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

const isNoName: IsTold = (problem) => problem.code !== 'NOT_FOUND' || isNotDeployed(problem)

/** The line below the row of the device; in a dialog without one, at its top. */
function deviceTrouble(form: JQuery, row: JQuery): Await {
  const text = $('<span role="status">')
  const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
    .text(sharedText('pick.again'))
    .on('click', () => {
      shown = sharedText('pick.asking')
      text.text(shown)
      again()
    })
  const line = $('<div class="vision-trouble" hidden>').append(text, ' ', button)
  if (row.length) line.insertAfter(row)
  else line.prependTo(form)
  let shown = ''
  let waiting = 0
  let problem: DeviceProblem | undefined
  let failures = 0
  let timer: number | undefined

  function again() {
    clearTimeout(timer)
    timer = undefined
    if (!form[0]?.isConnected) return
    forgetFailures()
    form.trigger('vision-refresh')
    // The parts ask in the same turn, or need nothing any more.
    setTimeout(() => {
      if (!waiting) ended()
    })
  }

  /** Called when no answer is outstanding any more. */
  function ended() {
    const told = problem
    problem = undefined
    if (!told) failures = 0
    else if (isPassing(told))
      timer ??= window.setTimeout(again, Math.min(pause.first * 2 ** failures++, pause.longest))
    say(told?.message ?? '')
  }

  function say(now: string) {
    if (now === shown) return
    shown = now
    afterClick(line, () => {
      text.text(shown)
      line.prop('hidden', !shown)
    })
  }

  return (answer, isTold) => {
    waiting++
    const settle = () => {
      if (--waiting === 0) ended()
    }
    answer.then(settle, (failed: unknown) => {
      const found = problemIn(failed)
      if (found && isTold(found)) problem = found
      settle()
    })
  }
}
