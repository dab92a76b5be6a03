/**
 * Data streams over UDP: receives them, and keeps a destination on the device. In: datagrams and a client. Out: decoded
 * messages, statistics.
 */
export {
  decodeMessage,
  encodeMessage,
  ProtobufError,
  type Dynamics,
  type Frame,
  type Imu,
  type Pose,
  type PoseStamped,
  type Quaternion,
  type StreamMessages,
  type StreamMessageType,
  type Time,
  type Vector3d,
} from '../codec/streams'
export { readDestination, routeTo, type Route } from './destination'
export {
  keepDestination,
  type DestinationKeeper,
  type KeepHandlers,
  type KeepOptions,
  type KeepState,
} from './destination'
export { pacer, type Batches, type Pacer, type Pacing } from './pacing'
export {
  receiveStream,
  type Dropped,
  type Receiver,
  type ReceiverHandlers,
  type ReceiverStatistics,
  type ReceiverOptions,
} from './receiver'
