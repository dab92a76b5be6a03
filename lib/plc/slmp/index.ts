/** SLMP (MC protocol) of MELSEC PLCs: frames, the protocol for the client that polls, and a server for the virtual PLC. */
export {
  deviceAt,
  firstD,
  slmpAddress,
  slmpAddressText,
  slmpDevices,
  slmpNotation,
  type SlmpAddress,
  type SlmpDevice,
  type SlmpStart,
} from './devices'
export { modelName, type SlmpModelRequest } from './frames'
export { trySlmp, type SlmpIdentity } from './try-plc'
export { slmpProtocol, type SlmpOptions } from './protocol'
export {
  startSlmpServer,
  type SlmpFaults,
  SlmpMemory,
  type SlmpServer,
  type SlmpServerOptions,
} from './server'
