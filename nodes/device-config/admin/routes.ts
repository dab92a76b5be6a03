/** The routes for dialogs and the sidebar, with their inputs. */
import { createRequire } from 'node:module'
import { VisionError } from '../../../lib/client/vision-error'
import type { OperationId } from '../../../lib/contract'
import { loadContract, loadOperationForms } from '../../shared/load-later'
import { sentencesOf } from '../../sentences'
import type { images } from '../../../lib'
import type { Device, Inspection } from '../../device/device'
import {
  PictureAnswer,
  type AdminCall,
  jsonBody,
  answering,
  answeringInLines,
  flowsSettled,
  languageOf,
  oncePerServer,
  turnstile,
} from '../../shared/admin'
import { calibrationCall, drawFound, type DrawnOverlay } from '../../pictures/found'
import { diagnostics } from '../diagnostics/diagnostics'
import { requireDevice, deviceStates } from '../deployed-device'
import { bodyOf, type FormBody, withForm } from './form'
import { probe } from './probe'
import type * as Search from './search'

const { invalidInput } = sentencesOf('device-config')

/** @throws INVALID_INPUT unless the operation only reads */
function readOperation(id: string): OperationId {
  const { isKnown, method } = described(id)
  if (!isKnown) throw unknown(id)
  if (method !== 'GET') throw invalidInput('not-a-read', { operation: id })
  return id as OperationId
}

/** @throws INVALID_INPUT for an operation that only reads */
function changingOperation(id: string): OperationId {
  const { isKnown, method, encoding } = described(id)
  if (!isKnown) throw unknown(id)
  if (method === 'GET') throw invalidInput('not-a-change', { operation: id })
  // Its input may be a path of a file on this machine.
  if (encoding === 'multipart') throw invalidInput('no-upload-here', { operation: id })
  return id as OperationId
}

/** Inputs from a query, converted to the types of the operation. */
function inputOfQuery(id: OperationId, query: URLSearchParams): Record<string, unknown> {
  const { inputFields, operation } = loadContract()
  const fields = inputFields(operation(id))
  const input: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name)
    const type: unknown = fields[name]?.['type']
    Object.defineProperty(input, name, {
      value: type === 'array' ? texts : texts.length > 1 ? texts : ofType(type, texts[0] ?? ''),
      enumerable: true,
    })
  }
  return input
}

/** Text that does not fit stays text; the operation then rejects it by name. */
function ofType(type: unknown, text: string): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  return text
}

function described(id: string) {
  const { operations, operation } = loadContract()
  if (!Object.hasOwn(operations, id)) return { isKnown: false }
  const { method, body } = operation(id as OperationId)
  return { isKnown: true, method, encoding: body?.encoding }
}

const unknown = (operation: string) =>
  new VisionError({ code: 'INVALID_INPUT', key: 'unknown-operation', values: { operation } })

/** The header `x-vision-picture`. */
export type KnownPicture = Omit<images.ViewedPicture, 'png'>

export interface NoPicture {
  /** Milliseconds since 1970 by the clock of Node-RED. */
  since: number
}

/**
 * The newest picture of a camera. Query: `pipeline`, `part` (`left`, `depth` or `confidence`) and `after`, the
 * `receivedAt` of the viewer's picture. Waits some seconds for a newer one.
 * @throws INVALID_INPUT naming the key of the query; why there is no picture
 */
async function pictureOf(device: Device, { request, signal }: AdminCall): Promise<PictureAnswer | NoPicture> {
  const { searchParams } = new URL(request.url, 'http://editor')
  const part = searchParams.get('part') ?? 'left'
  if (!isPart(part))
    throw invalidInput('wrong-type', { field: 'part', expected: parts.join(', '), value: part })
  const given = searchParams.get('after') ?? '0'
  const after = Number(given)
  if (!Number.isFinite(after)) throw invalidInput('not-a-number', { field: 'after', value: given })
  const { picture, since } = await device.look(searchParams.get('pipeline') || '0', part, { after, signal })
  if (!picture) return { since }
  const { png, ...known } = picture
  return new PictureAnswer(png, known satisfies KnownPicture)
}

const parts: readonly images.ViewPart[] = ['left', 'depth', 'confidence']

const isPart = (part: string): part is images.ViewPart => parts.some((each) => each === part)

/**
 * Draws the answer of a detection service over a picture of the left camera: `{ pipeline, answer, args, camera, title }`.
 * @throws INVALID_INPUT naming what cannot be used; errors of reading the calibration
 */
function overlayFor({ inspection }: Device, { request, signal }: AdminCall): Promise<DrawnOverlay> {
  const { pipeline, answer, args, camera, title } = jsonBody(request)
  const place = typeof pipeline === 'string' && pipeline !== '' ? pipeline : '0'
  const calibration = async () => {
    const call = { pipeline: place, ...calibrationCall }
    return ((await inspection.ask('callService', call, { signal })) as { response?: unknown }).response
  }
  return drawFound({ answer, args, camera, calibration, ...(typeof title === 'string' && { title }) })
}

const formsAtOnce = 8

const filesAtOnce = 2

const searchesAtOnce = 2

/** Loaded with the first search. */
const loadSearch = () => createRequire(__filename)('./search') as typeof Search

/** Reads of a running device need `vision.read`; changes, and the address in an open form, need `vision.write`. */
export const adminRoutes = oncePerServer((RED) => {
  const { httpAdmin } = RED
  const mayRead = RED.auth.needsPermission('vision.read')
  const mayWrite = RED.auth.needsPermission('vision.write')
  const pass = turnstile(formsAtOnce)
  const passFile = turnstile(filesAtOnce)
  const passSearch = turnstile(searchesAtOnce)

  const settled = flowsSettled(RED)

  const running = async ({ request, signal }: AdminCall) => {
    await settled(signal)
    return requireDevice(RED, request.params['device'] ?? '').device
  }
  const atForm = <Answer>(
    call: AdminCall,
    work: (inspection: Inspection, body: FormBody) => Promise<Answer>,
  ) => pass(() => withForm(RED, call, work))
  const reading = ({ request }: AdminCall) => readOperation(request.params['operation'] ?? '')
  const changing = ({ request }: AdminCall) => changingOperation(request.params['operation'] ?? '')

  httpAdmin.get(
    '/vision-devices/states',
    mayRead,
    answering(({ request }) => Promise.resolve(deviceStates(RED, languageOf(request)))),
  )
  httpAdmin.get(
    '/vision-devices/diagnostics',
    mayRead,
    answering(({ signal }) => passFile(() => diagnostics(RED, signal))),
  )
  httpAdmin.get(
    '/vision-devices/operations',
    mayRead,
    answering(({ request }) => Promise.resolve(loadOperationForms().operationForms(languageOf(request)))),
  )
  httpAdmin.get(
    '/vision-devices/:device/read/:operation',
    mayRead,
    answering(async (call) => {
      const id = reading(call)
      const { searchParams } = new URL(call.request.url, 'http://editor')
      return (await running(call)).inspection.ask(id, inputOfQuery(id, searchParams), call)
    }),
  )
  httpAdmin.get(
    '/vision-devices/:device/picture',
    mayRead,
    answering(async (call) => pictureOf(await running(call), call)),
  )
  httpAdmin.post(
    '/vision-devices/:device/overlay',
    mayWrite,
    answering(async (call) => overlayFor(await running(call), call)),
  )
  httpAdmin.post(
    '/vision-devices/search',
    mayWrite,
    answeringInLines((asked, write) => passSearch(() => loadSearch().search(asked, write))),
  )
  httpAdmin.post(
    '/vision-devices/probe',
    mayWrite,
    answering((call) => atForm(call, (inspection) => probe(inspection, call.signal))),
  )
  httpAdmin.post(
    '/vision-devices/probe/read/:operation',
    mayWrite,
    answering(async (call) => {
      const id = reading(call)
      return atForm(call, (inspection, { input }) => inspection.ask(id, input, call))
    }),
  )
  httpAdmin.post(
    '/vision-devices/probe/call/:operation',
    mayWrite,
    answering(async (call) => {
      const id = changing(call)
      return atForm(call, (inspection, { input, deadline }) =>
        inspection.ask(id, input, { ...call, deadline }),
      )
    }),
  )
  httpAdmin.post(
    '/vision-devices/:device/call/:operation',
    mayWrite,
    answering(async (call) => {
      const id = changing(call)
      const { input, deadline } = bodyOf(call.request)
      return (await running(call)).inspection.ask(id, input, { ...call, deadline })
    }),
  )
})

export type { DrawnOverlay } from '../../pictures/found'
