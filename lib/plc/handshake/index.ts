export {
  offlineReasons,
  type Cycle,
  type Effect,
  type HandshakeEvent,
  type OfflineReason,
  type Phase,
  type Told,
} from './events'
export { nothingKnown, remembered, type JournalEntry, type JournalMemory } from './journal-memory'
export { createHandshake, type Handshake } from './machine'
export type { HandshakeOptions } from './options'
