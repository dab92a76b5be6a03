export * from './messages'
export { readMessage, type Reading, type Unreadable } from './read-message'
export { fleetSentences } from './sentences'
export * from './topics'
