export { fingerprintOf } from './fingerprint'
export * from './messages'
export { partLimits, readMessage, type Reading, type Unreadable } from './read-message'
export * from './topics'
