/** Whether a CPU can be used with a map, and what it says of itself. Writes nothing. */
import { onConnection, planReads } from '../client'
import type { OpenMap } from '../data'
import { s7Error } from './failures'
import { identityOf, type S7Identity } from './identity'
import { s7Protocol, type S7Options } from './protocol'

/** Milliseconds for the connection, and for each answer. */
const patience = 3000

/**
 * One connection, ended afterwards: what the CPU says of itself, then the memory of the map.
 * @throws PlcError why it cannot be used
 */
export async function tryS7(
  { block = 1, ...options }: S7Options,
  { host, port }: { host: string; port: number },
  { reads }: OpenMap,
  signal: AbortSignal,
): Promise<S7Identity & { milliseconds: number }> {
  const protocol = s7Protocol({ block, ...options })
  const began = performance.now()
  const settings = { protocol, host, port, deadline: patience, connectDeadline: patience }
  return onConnection(settings, signal, async (client) => {
    const identity = await identityOf((request) => client.request(request))
    for (const request of planReads(reads, protocol.most.read, 0)) await client.request(request)
    // A level above the first leaves reading at most.
    if ((identity.protection ?? 1) > 1) {
      const values = { host, port, memory: `DB${block}` }
      throw s7Error({ code: 'REFUSED', key: 's7-write-refused', values })
    }
    return { ...identity, milliseconds: Math.round(performance.now() - began) }
  })
}
