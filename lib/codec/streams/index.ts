/** The messages of data streams, and their bytes. */
import { protobufCodec, type ProtobufSchema } from '../protobuf/codec'

/** Seconds and nanoseconds since 1970. `sec` is a bigint only if a number cannot hold it exactly. */
export interface Time {
  sec?: number | bigint
  nsec?: number
}

/** A vector; its field defines the unit. A component that was not sent is absent and means 0. */
export interface Vector3d {
  x?: number
  y?: number
  z?: number
}

/** A rotation. A component that was not sent is absent and means 0. */
export interface Quaternion {
  x?: number
  y?: number
  z?: number
  w?: number
}

/** A pose. The enclosing message names the frame. */
export interface Pose {
  /** Metres. */
  position?: Vector3d
  orientation?: Quaternion
  /** 6 × 6, row by row: position, then rotation. */
  covariance?: number[]
}

/** A pose and the time of its measurement. */
export interface PoseStamped {
  timestamp?: Time
  pose?: Pose
}

/** `pose`, `pose_rt` and their `_ins` twins: the left camera in the world. */
export interface Frame {
  pose?: PoseStamped
  /** Frame in which the pose is given. */
  parent?: string
  /** Frame whose pose it is. */
  name?: string
  /** `ins`, `slam`, `rt_ins` or `rt_slam`. */
  producer?: string
}

/** `dynamics` and its `_ins` twin: the inertial sensor's own motion. */
export interface Dynamics {
  timestamp?: Time
  pose?: Pose
  pose_frame?: string
  /** m/s */
  linear_velocity?: Vector3d
  linear_velocity_frame?: string
  /** rad/s */
  angular_velocity?: Vector3d
  angular_velocity_frame?: string
  /** m/s², gravity removed. */
  linear_acceleration?: Vector3d
  linear_acceleration_frame?: string
  /** 15 × 15, row by row. */
  covariance?: number[]
  /** The left camera in the inertial sensor's frame. */
  cam2imu_transform?: Frame
  /** True only if SLAM corrects the pose after it has closed a loop. */
  possible_jump?: boolean
  /** `rt_ins` or `rt_slam`. */
  producer?: string
}

/** `imu`: the measurements of the inertial sensor in its own frame; neither bias nor gravity is removed. */
export interface Imu {
  timestamp?: Time
  /** m/s²; at rest it shows the reaction to gravity. */
  linear_acceleration?: Vector3d
  /** rad/s */
  angular_velocity?: Vector3d
}

/** The message types of datagrams, by the name in the field `protobuf` of a stream's record. */
export interface StreamMessages {
  Frame: Frame
  Dynamics: Dynamics
  Imu: Imu
}
/** Name of a message type that a datagram can hold. */
export type StreamMessageType = keyof StreamMessages

/** All messages of `streams.proto`. */
export interface Messages extends StreamMessages {
  PoseStamped: PoseStamped
  Pose: Pose
  Time: Time
  Quaternion: Quaternion
  Vector3d: Vector3d
}

/** Field numbers, names and types of `streams.proto`; a test compares the two. */
export const schema = {
  Frame: {
    1: ['pose', 'PoseStamped'],
    2: ['parent', 'string'],
    3: ['name', 'string'],
    4: ['producer', 'string'],
  },
  Dynamics: {
    1: ['timestamp', 'Time'],
    2: ['pose', 'Pose'],
    3: ['pose_frame', 'string'],
    4: ['linear_velocity', 'Vector3d'],
    5: ['linear_velocity_frame', 'string'],
    6: ['angular_velocity', 'Vector3d'],
    7: ['angular_velocity_frame', 'string'],
    8: ['linear_acceleration', 'Vector3d'],
    9: ['linear_acceleration_frame', 'string'],
    10: ['covariance', 'doubles'],
    11: ['cam2imu_transform', 'Frame'],
    12: ['possible_jump', 'bool'],
    13: ['producer', 'string'],
  },
  Imu: {
    1: ['timestamp', 'Time'],
    2: ['linear_acceleration', 'Vector3d'],
    3: ['angular_velocity', 'Vector3d'],
  },
  PoseStamped: { 1: ['timestamp', 'Time'], 2: ['pose', 'Pose'] },
  Pose: { 1: ['position', 'Vector3d'], 2: ['orientation', 'Quaternion'], 3: ['covariance', 'doubles'] },
  Time: { 1: ['sec', 'int64'], 2: ['nsec', 'int32'] },
  Quaternion: { 2: ['x', 'double'], 3: ['y', 'double'], 4: ['z', 'double'], 5: ['w', 'double'] },
  Vector3d: { 1: ['x', 'double'], 2: ['y', 'double'], 3: ['z', 'double'] },
} as const satisfies ProtobufSchema<Messages>

const { decode, encode } = protobufCodec<Messages>(schema)

/**
 * Decodes one message of `streams.proto` from a datagram. Repeated numbers may be packed or not.
 * @throws ProtobufError
 */
export const decodeMessage: <Type extends StreamMessageType>(
  type: Type,
  bytes: Uint8Array,
) => Messages[Type] = decode

/** Encodes one message of `streams.proto`. @throws TypeError for a value that the schema does not allow */
export const encodeMessage: <Type extends StreamMessageType>(type: Type, message: Messages[Type]) => Buffer =
  encode

export { ProtobufError } from '../protobuf/codec'
