import type { Node } from 'node-red'
import { invalidInput } from '../plc/sentences'

/** The servers of this Node-RED, by the handshakes that opened them. */
const claims = new Map<Node, { host: string; port: number }>()

const isAny = (host: string) => host === '0.0.0.0' || host === '::'

/**
 * Reserves a port for the server of a handshake: of two on one port, the second is told who has it.
 * @returns releases it @throws INVALID_INPUT
 */
export function claimPort(node: Node, host: string, port: number): () => void {
  const [other] =
    [...claims].find(
      ([{ id }, taken]) =>
        id !== node.id &&
        port !== 0 &&
        taken.port === port &&
        (taken.host === host || isAny(host) || isAny(taken.host)),
    ) ?? []
  if (other) throw invalidInput('plc-same-port', { one: nameOf(node), other: nameOf(other), port })
  claims.set(node, { host, port })
  return () => claims.delete(node)
}

const nameOf = ({ name, id }: Node) => name || id
