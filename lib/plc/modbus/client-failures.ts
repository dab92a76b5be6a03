import type { PlcError } from '../plc-error'
import type { ModbusRequest } from './requests'
import { modbusError } from './modbus-error'

interface PlcAddress {
  host: string
  port: number
  unit: number
  deadline: number
  queue: number
}

/** The errors of a client, each with the PLC that it speaks to. */
export function clientFailures({ host, port, unit, deadline, queue }: PlcAddress) {
  const place = { host, port, unit, deadline, limit: queue }
  const isRead = (request: ModbusRequest) => request.kind === 'read'

  return {
    notConnected: () => modbusError({ code: 'UNREACHABLE', key: 'modbus-connecting', values: place }),
    unreachable: (error: NodeJS.ErrnoException) => {
      const reason = error.code ?? error.message
      const key =
        reason === 'ENOTFOUND' || reason === 'EAI_AGAIN' ? 'modbus-unknown-host' : 'modbus-unreachable'
      return modbusError({ code: 'UNREACHABLE', key, values: { ...place, reason }, cause: { reason } })
    },
    lost: (reason: string) =>
      modbusError({
        code: 'UNREACHABLE',
        key: 'modbus-lost',
        values: { ...place, reason },
        cause: { reason },
      }),
    /** The PLC is connected and silent. */
    silent: () => modbusError({ code: 'UNREACHABLE', key: 'modbus-silent', values: place }),
    notModbus: (fault: 'protocol' | 'length', found: number) =>
      modbusError({ code: 'BAD_REPLY', key: `modbus-plc-${fault}`, values: { ...place, found } }),
    closed: () => modbusError({ code: 'ABORTED', key: 'modbus-closed', values: place }),
    full: () => modbusError({ code: 'BUSY', key: 'modbus-queue', values: place }),
    noAnswer: (request: ModbusRequest) =>
      isRead(request)
        ? modbusError({ code: 'TIMEOUT', key: 'modbus-no-answer', values: place })
        : modbusError({ code: 'OUTCOME_UNKNOWN', key: 'modbus-write-unknown', values: place }),
    lostUnderWay: (request: ModbusRequest, lost: PlcError) =>
      isRead(request)
        ? lost
        : modbusError({ code: 'OUTCOME_UNKNOWN', key: 'modbus-write-unknown', values: place }),
    refused: (request: ModbusRequest, exception: number) => {
      const { address, count } = extent(request)
      return modbusError({
        code: 'REFUSED',
        key:
          exception >= 1 && exception <= 4
            ? `modbus-exception-${exception as 1 | 2 | 3 | 4}`
            : 'modbus-exception',
        values: { ...place, exception, first: address, last: address + count - 1 },
        cause: { exception },
      })
    },
    otherUnit: (found: number) =>
      modbusError({ code: 'BAD_REPLY', key: 'modbus-other-unit', values: { ...place, found } }),
    badAnswer: () => modbusError({ code: 'BAD_REPLY', key: 'modbus-bad-answer', values: place }),
  }
}

export type ClientFailures = ReturnType<typeof clientFailures>

function extent(request: ModbusRequest): { address: number; count: number } {
  if (request.kind === 'read') return request
  const { address, values } = request.kind === 'write' ? request : request.write
  return { address, count: values.length }
}
