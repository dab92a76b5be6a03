import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import type { PlcError } from '../plc-error'
import { modbusError } from './modbus-error'

interface Place {
  host: string
  port: number
}

/** @throws PlcError `INVALID_INPUT` for a port that is taken, below 1024 without the right, or not ours */
export async function listen(server: Server, { host, port }: Place): Promise<void> {
  const listening = once(server, 'listening')
  server.listen({ host, port })
  try {
    await listening
  } catch (error) {
    throw notListening(error as NodeJS.ErrnoException, { host, port })
  }
}

/** Ends all connections, and resolves when nothing is left. */
export async function closeServer(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
}

export function notListening({ code, message }: NodeJS.ErrnoException, { host, port }: Place): PlcError {
  const reason = code ?? message
  const key =
    reason === 'EADDRINUSE'
      ? 'modbus-port-taken'
      : reason === 'EACCES'
        ? 'modbus-port-reserved'
        : reason === 'EADDRNOTAVAIL'
          ? 'modbus-own-address'
          : 'modbus-not-listening'
  return modbusError({ code: 'INVALID_INPUT', key, values: { host, port, reason }, cause: { reason } })
}
