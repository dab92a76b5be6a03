/** Routes of the editor: the open dialog, the panel and the sidebar of PLC handshakes. */
import { createRequire } from 'node:module'
import type * as Running from './running'
import { answering, oncePerServer, type AdminCall, jsonBody, languageOf, turnstile } from '../shared/admin'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { handshakeOf } from '../plc/handshake-of'
import type { HandshakeSnapshot } from '../plc/handshake-snapshot'
import { sentencesOf } from '../sentences'
import type { PlcIdentity } from './polled-plc'

const { invalidInput, nodeError } = sentencesOf('plc')

/** Loads the code of a running handshake with the first one: a Node-RED without a PLC does not need its files. */
export const loadRunning = (): typeof Running => createRequire(__filename)('./running') as typeof Running

/** Makes programs and pages of the map in an open dialog: like all routes that take a form, for those who may write. */
export const copyRoute = oncePerServer(({ auth, httpAdmin }) =>
  httpAdmin.post(
    '/vision-devices/plc-copy',
    auth.needsPermission('vision.write'),
    answering((asked) => Promise.resolve().then(() => loadRunning().copyOf(asked))),
  ),
)

/** What answers at the address of an open dialog. */
export type PlcTest = PlcIdentity

const testsAtOnce = 2

/** Connects to the PLC of an open dialog once, and only when somebody asks. */
export const testRoute = oncePerServer((RED) => {
  const pass = turnstile(testsAtOnce)
  RED.httpAdmin.post(
    '/vision-devices/plc-test',
    RED.auth.needsPermission('vision.write'),
    answering((asked): Promise<PlcTest> => pass(() => loadRunning().testOf(RED, asked))),
  )
})

/** The state of deployed handshakes for panel and sidebar, and the trigger by hand. */
export const panelRoutes = oncePerServer((RED) => {
  const { httpAdmin } = RED
  const required = ({ request }: AdminCall): DeployedHandshake => {
    const handshake = handshakeOf(RED, request.params['handshake'] ?? '')
    if (!handshake) throw nodeError('NOT_FOUND', 'plc-not-deployed')
    return handshake
  }
  const snapshot = (asked: AdminCall): HandshakeSnapshot =>
    loadRunning().snapshotOf(required(asked), languageOf(asked.request))

  httpAdmin.get(
    '/vision-devices/plc',
    RED.auth.needsPermission('vision.read'),
    answering(({ request }) => Promise.resolve(loadRunning().handshakeStates(RED, languageOf(request)))),
  )
  httpAdmin.get(
    '/vision-devices/plc/:handshake',
    RED.auth.needsPermission('vision.read'),
    answering((asked) => Promise.resolve().then(() => snapshot(asked))),
  )
  httpAdmin.post(
    '/vision-devices/plc/:handshake/trigger',
    RED.auth.needsPermission('vision.write'),
    answering(async (asked) => {
      await Promise.resolve()
      // A page of another site must not trigger: it cannot send this type without a preflight request.
      jsonBody(asked.request)
      const { cell } = required(asked)
      if (!cell) throw invalidInput('plc-not-running')
      if (!cell.triggerByHand()) throw nodeError('REFUSED', 'plc-event-manual-refused')
      return snapshot(asked)
    }),
  )
})
