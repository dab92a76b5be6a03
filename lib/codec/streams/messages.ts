/** Seconds and nanoseconds since 1970. `sec` is a bigint only where a number could not hold it exactly. */
export interface Time {
  sec?: number | bigint
  nsec?: number
}

/** A vector; its unit is that of its field. What was not sent is not there: 0. */
export interface Vector3d {
  x?: number
  y?: number
  z?: number
}

/** A rotation. What was not sent is not there: 0. */
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

/** A pose and when it was measured. */
export interface PoseStamped {
  timestamp?: Time
  pose?: Pose
}

/** `pose`, `pose_rt` and their `_ins` twins: the left camera in the world. */
export interface Frame {
  pose?: PoseStamped
  /** Frame that the pose is given in. */
  parent?: string
  /** Frame that has the pose. */
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
  /** True only where SLAM corrects the pose after it closed a loop. */
  possible_jump?: boolean
  /** `rt_ins` or `rt_slam`. */
  producer?: string
}

/** `imu`: what the inertial sensor measures, in its own frame; neither bias nor gravity is removed. */
export interface Imu {
  timestamp?: Time
  /** m/s²; at rest it shows the reaction to gravity. */
  linear_acceleration?: Vector3d
  /** rad/s */
  angular_velocity?: Vector3d
}

/** What travels in a datagram, by the name that a stream's record gives in `protobuf`. */
export interface StreamMessages {
  Frame: Frame
  Dynamics: Dynamics
  Imu: Imu
}
/** The name of a message that a datagram can hold. */
export type StreamMessageType = keyof StreamMessages

/** All messages of `streams.proto`. */
export interface Messages extends StreamMessages {
  PoseStamped: PoseStamped
  Pose: Pose
  Time: Time
  Quaternion: Quaternion
  Vector3d: Vector3d
}
