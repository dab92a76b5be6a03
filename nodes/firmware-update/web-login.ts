import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { nodeError } from './sentences'

/** Whether this Node-RED asks whoever opens a page of its flows for a login. */
export const pagesNeedLogin = (RED: NodeAPI): boolean =>
  Boolean((RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth)

/**
 * Refuses what anybody on the network may have sent: a firmware is not a thing for everybody who finds a page. Whoever
 * checks the login in the flow takes `msg.req` or `msg._session` out of the message there.
 * @throws FORBIDDEN
 */
export function mustNotBeAnybodys(RED: NodeAPI, msg: NodeMessageInFlow): void {
  const { req, _session } = msg as { req?: unknown; _session?: { type?: unknown } }
  // Node-RED asks for no login there, whatever its settings say.
  if (_session?.type === 'websocket') throw nodeError('FORBIDDEN', 'firmware-web-socket')
  if (req !== undefined && !pagesNeedLogin(RED)) throw nodeError('FORBIDDEN', 'firmware-no-login')
}
