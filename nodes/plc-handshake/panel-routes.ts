import type { DeployedHandshake } from '../plc/deployed-handshake'
import { handshakeOf } from '../plc/handshake-of'
import type { HandshakeSnapshot } from '../plc/handshake-snapshot'
import { type AdminCall, answering, jsonBody, languageOf, oncePerServer } from '../shared/admin'
import { loadRunning } from './load-running'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('plc')

/** What panel and sidebar show of deployed handshakes, and the trigger by hand. */
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
