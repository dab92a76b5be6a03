export { startModbusClient, type ModbusClient, type ModbusClientEvents } from './client'
export type { ModbusClientOptions } from './client'
export type { ClientCounts } from './client'
export { exceptions, ModbusException } from './frames'
export type { ModbusBlock, ModbusBlocks } from './serve-connection'
export { modbusError } from './frames'
export { planReads, type ReadItem } from './poll-plc'
export { planWrites } from './poll-plc'
export {
  pollPlc,
  type PolledPlc,
  type PolledPlcEvents,
  type PolledPlcOptions,
  type PolledWords,
} from './poll-plc'
export type { MeasuredInterval } from './poll-plc'
export { mostItems, type ModbusArea, type ModbusRequest, type WritableArea } from './frames'
export type { ServedRead, ServedWrite, ServerCounts } from './serve-connection'
export { startModbusServer, type ModbusServer, type ModbusServerEvents } from './server'
export type { ModbusServerOptions } from './server'
