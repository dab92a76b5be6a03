export type { PlcClient, PlcClientEvents, PlcClientOptions } from './client'
export { onConnection, startPlcClient } from './client'
export type { ClientCounts } from './connection'
export { linkError } from './failures'
export { planReads, planWrites, type ReadItem } from './plans'
export {
  type MeasuredInterval,
  type PolledPlc,
  type PolledPlcEvents,
  type PolledPlcOptions,
  type PolledWords,
  pollPlc,
  startPolling,
} from './poll-plc'
export type {
  Incoming,
  ItemLimits,
  LinkFailure,
  PlcPlace,
  PlcProtocol,
  PlcRequest,
  PlcSession,
  ReadRequest,
  WriteRequest,
} from './protocol'
