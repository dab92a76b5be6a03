import type { Node } from 'node-red'
import type { MapBlock } from '../../lib/plc/data/open-map'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('plc')

/** What a handshake has of the servers of this Node-RED. */
export interface ServerClaim {
  host: string
  port: number
  unit: number
  blocks: { registers: readonly MapBlock[]; coils: readonly MapBlock[] }
}

/** By the handshakes that opened them. */
const claims = new Map<Node, ServerClaim>()

const isAny = (host: string) => host === '0.0.0.0' || host === '::'

/**
 * Reserves registers and coils of a server. Handshakes on one address and port share it as long as no two of one unit have the
 * same registers: otherwise the second is told who has them.
 * @returns releases them @throws INVALID_INPUT
 */
export function claimServer(node: Node, claim: ServerClaim): () => void {
  const { host, port, unit } = claim
  for (const [owner, taken] of claims) {
    if (owner.id === node.id || port === 0 || taken.port !== port) continue
    const names = { one: nameOf(node), other: nameOf(owner), port }
    if (taken.host !== host) {
      if (isAny(host) || isAny(taken.host)) throw invalidInput('plc-same-port', names)
      continue
    }
    const address = taken.unit === unit ? sharedAddress(claim.blocks, taken.blocks) : undefined
    if (address !== undefined) throw invalidInput('plc-same-registers', { ...names, unit, address })
  }
  claims.set(node, claim)
  return () => claims.delete(node)
}

/** The first register, or coil, that both have. */
function sharedAddress(one: ServerClaim['blocks'], other: ServerClaim['blocks']): number | undefined {
  const shared = (['registers', 'coils'] as const).flatMap((area) =>
    one[area].flatMap((block) =>
      other[area].flatMap((each) => {
        const first = Math.max(block.address, each.address)
        return first < Math.min(block.address + block.count, each.address + each.count) ? [first] : []
      }),
    ),
  )
  return shared.length ? Math.min(...shared) : undefined
}

const nameOf = ({ name, id }: Node) => name || id
