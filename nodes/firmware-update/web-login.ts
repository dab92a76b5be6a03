import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { nodeError } from './sentences'

/** Whether this Node-RED requires a login to open a page of its flows. */
export const pagesNeedLogin = (RED: NodeAPI): boolean =>
  Boolean((RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth)

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
