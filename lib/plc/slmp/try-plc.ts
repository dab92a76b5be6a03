/** Whether a PLC can be used with a map: what it says of itself, and whether it can be read and written. */
import { onConnection, planReads } from '../client'
import type { OpenMap } from '../data'
import { PlcError } from '../plc-error'
import { endCodes, modelName } from './frames'
import { slmpProtocol, type SlmpOptions } from './protocol'

/** Milliseconds for the connection, and for each answer. */
const patience = 3000

/** What a PLC says of itself. */
export interface SlmpIdentity {
  /** Missing where the PLC does not name its CPU. */
  type?: string
  /** For connecting, and reading all of the map. */
  milliseconds: number
}

/**
 * One connection, ended afterwards: the model of the CPU, the memory of the map, and whether it may be written: the life signal
 * of the cell, where the map has one, is written as it was read. No other word is written.
 * @throws PlcError why it cannot be used
 */
export async function trySlmp(
  options: SlmpOptions,
  { host, port }: { host: string; port: number },
  { reads, slots }: OpenMap,
  signal: AbortSignal,
): Promise<SlmpIdentity> {
  const protocol = slmpProtocol(options)
  const began = performance.now()
  const settings = { protocol, host, port, deadline: patience, connectDeadline: patience }
  return onConnection(settings, signal, async (client) => {
    const type = await client.request({ kind: 'model' }).then(modelName, (error: unknown) => {
      const isUnknown = error instanceof PlcError && error.cause?.exception === endCodes.unknownCommand
      if (!isUnknown) throw error
      return ''
    })
    for (const request of planReads(reads, protocol.most.read, 0)) await client.request(request)
    const milliseconds = Math.round(performance.now() - began)
    // Any other word may have been changed since by a cell that is running.
    const { area = 'registers', address } = slots.find(({ row }) => row === 'life') ?? {}
    if (address !== undefined && area !== 'inputRegisters' && area !== 'discreteInputs') {
      const values = await client.request({ kind: 'read', area, address, count: 1 })
      await client.request({ kind: 'write', area, address, values })
    }
    return { ...(type && { type }), milliseconds }
  })
}
