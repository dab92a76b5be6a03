import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { pagesNeedLogin } from '../shared/permission'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('firmware-update')

/**
 * Refuses what anybody on the network may have sent: not everybody who finds a page may install firmware. A flow that
 * checks the login itself removes `msg.req` or `msg._session` from the message.
 * @throws FORBIDDEN
 */
export function mustNotBeAnybodys(RED: NodeAPI, msg: NodeMessageInFlow): void {
  const { req, _session } = msg as { req?: unknown; _session?: { type?: unknown } }
  // Node-RED requires no login there, whatever its settings say.
  if (_session?.type === 'websocket') throw nodeError('FORBIDDEN', 'firmware-web-socket')
  if (req !== undefined && !pagesNeedLogin(RED)) throw nodeError('FORBIDDEN', 'firmware-no-login')
}
