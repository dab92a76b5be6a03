export { startModbusClient, type ModbusClient, type ModbusClientEvents } from './client'
export type { ModbusClientOptions } from './client-options'
export type { ClientCounts } from './connection'
export { exceptions, ModbusException } from './exceptions'
export type { ModbusBlock, ModbusBlocks } from './memory'
export { modbusError } from './modbus-error'
export { planReads, type ReadItem } from './plan-reads'
export { planWrites } from './plan-writes'
export {
  pollPlc,
  type PolledPlc,
  type PolledPlcEvents,
  type PolledPlcOptions,
  type PolledWords,
} from './poll-plc'
export type { MeasuredInterval } from './polling'
export { mostItems, type ModbusArea, type ModbusRequest, type WritableArea } from './requests'
export type { ServedRead, ServedWrite, ServerCounts } from './serve-connection'
export { startModbusServer, type ModbusServer, type ModbusServerEvents } from './server'
export type { ModbusServerOptions } from './server-options'
