export {
  offlineReasons,
  type Cycle,
  type Effect,
  type HandshakeEvent,
  type OfflineReason,
  type Phase,
  type Told,
} from './state'
export { nothingKnown, remembered, type JournalEntry, type JournalMemory } from './state'
export { createHandshake, type Handshake } from './machine'
export type { HandshakeOptions } from './state'
