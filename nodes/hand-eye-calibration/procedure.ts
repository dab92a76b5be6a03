/** Loaded with the first calibration. */
export { ownSight } from './explain'
export { HandEyeDevice } from './device'
export { perform } from './perform'
export { Session } from './session'
export { setupOf } from './session'
export { snapshotOf } from './coverage'
export { driveSnapshotOf, ordersOf } from './drive/panel'
export { drivePartsOf, journalOf } from './drive/settings'
