import { ServerTCP } from 'modbus-serial'
import { freePorts } from './free-ports'

/** By address. */
interface HoldingRegisters {
  get: (address: number) => number
  /** Errors become Modbus exceptions with `modbusErrorCode`. */
  set: (address: number, value: number) => void
}

export interface RegisterServer {
  port: number
  stop: () => Promise<void>
}

/**
 * Modbus TCP with holding registers, by a foreign library.
 * @param options.port @default a free one: the library takes 0 for 502
 */
export async function modbusServer(
  { get, set }: HoldingRegisters,
  { port: requestedPort, unitID = 1 }: { port?: number; unitID?: number } = {},
): Promise<RegisterServer> {
  const port = requestedPort ?? (await freePorts(1))[0] ?? 0
  const server = new ServerTCP(
    { getHoldingRegister: get, setRegister: set },
    { host: '127.0.0.1', port, unitID },
  )
  await new Promise<void>((resolve, reject) =>
    server.once('initialized', resolve).once('serverError', reject),
  )
  return { port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
