/** Everything that a calibration needs once it begins. */
export { ownSight } from './explain'
export { HandEyeDevice } from './hand-eye-device'
export { perform } from './perform'
export { Session } from './session'
export { setupOf } from './setup'
export { snapshotOf } from './snapshot'
export { driveSnapshotOf, ordersOf } from './drive/snapshot'
export { drivePartsOf, journalOf } from './drive/parts-of'
