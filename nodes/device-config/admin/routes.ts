import { diagnostics } from '../diagnostics/diagnostics'
import {
  type AdminCall,
  answering,
  flowsSettled,
  languageOf,
  oncePerServer,
  turnstile,
} from '../../shared/admin'
import { requireDevice } from '../deployed-device'
import { bodyOf, type GivenBody } from './given-body'
import type { Inspection } from '../../device/inspection'
import { changingOperation, inputOfQuery, readOperation } from './inputs'
import { overlayFor } from './overlay'
import { pictureOf } from './picture'
import { probe } from './probe'
import { deviceStates } from './states'
import { loadOperationForms } from '../../shared/load-later'
import { withForm } from './with-form'

/** Most forms open at a time. */
const formsAtOnce = 8
const filesAtOnce = 2

/**
 * The routes by which dialogs and sidebar query devices. Reads of a running device need the permission `vision.read`;
 * anything that may change something, or uses the address in an open form, needs `vision.write`.
 */
export const adminRoutes = oncePerServer((RED) => {
  const { httpAdmin } = RED
  const mayRead = RED.auth.needsPermission('vision.read')
  const mayWrite = RED.auth.needsPermission('vision.write')
  const pass = turnstile(formsAtOnce)
  const passFile = turnstile(filesAtOnce)

  const settled = flowsSettled(RED)

  const running = async ({ request, signal }: AdminCall) => {
    await settled(signal)
    return requireDevice(RED, request.params['device'] ?? '').device
  }
  const atForm = <Answer>(
    asked: AdminCall,
    work: (inspection: Inspection, body: GivenBody) => Promise<Answer>,
  ) => pass(() => withForm(RED, asked, work))
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
    answering(async (asked) => {
      const id = reading(asked)
      const { searchParams } = new URL(asked.request.url, 'http://editor')
      return (await running(asked)).inspection.ask(id, inputOfQuery(id, searchParams), asked)
    }),
  )
  httpAdmin.get(
    '/vision-devices/:device/picture',
    mayRead,
    answering(async (asked) => pictureOf(await running(asked), asked)),
  )
  httpAdmin.post(
    '/vision-devices/:device/overlay',
    mayWrite,
    answering(async (asked) => overlayFor(await running(asked), asked)),
  )
  httpAdmin.post(
    '/vision-devices/probe',
    mayWrite,
    answering((asked) => atForm(asked, (inspection) => probe(inspection, asked.signal))),
  )
  httpAdmin.post(
    '/vision-devices/probe/read/:operation',
    mayWrite,
    answering(async (asked) => {
      const id = reading(asked)
      return atForm(asked, (inspection, { input }) => inspection.ask(id, input, asked))
    }),
  )
  httpAdmin.post(
    '/vision-devices/probe/call/:operation',
    mayWrite,
    answering(async (asked) => {
      const id = changing(asked)
      return atForm(asked, (inspection, { input, deadline }) =>
        inspection.ask(id, input, { ...asked, deadline }),
      )
    }),
  )
  httpAdmin.post(
    '/vision-devices/:device/call/:operation',
    mayWrite,
    answering(async (asked) => {
      const id = changing(asked)
      const { input, deadline } = bodyOf(asked.request)
      return (await running(asked)).inspection.ask(id, input, { ...asked, deadline })
    }),
  )
})
