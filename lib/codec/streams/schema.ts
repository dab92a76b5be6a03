import type { Messages } from './messages'

type FieldType = 'double' | 'doubles' | 'int64' | 'int32' | 'bool' | 'string' | keyof Messages
type Fields<Message> = Readonly<Record<number, readonly [name: keyof Message & string, kind: FieldType]>>

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
} as const satisfies { [Name in keyof Messages]: Fields<Messages[Name]> }

export interface MessageField {
  number: number
  name: string
  kind: FieldType
  /** Field number and wire type, as they are written in front of the value. */
  tag: number
}

/** How values travel that do not have their length in front, which is 2. */
const wireTypes: Partial<Record<FieldType, number>> = { double: 1, int64: 0, int32: 0, bool: 0 }

/** The fields of each message, in ascending order of their numbers. */
export const fieldsOf: Readonly<Record<keyof Messages, readonly MessageField[]>> = {
  Frame: listed('Frame'),
  Dynamics: listed('Dynamics'),
  Imu: listed('Imu'),
  PoseStamped: listed('PoseStamped'),
  Pose: listed('Pose'),
  Time: listed('Time'),
  Quaternion: listed('Quaternion'),
  Vector3d: listed('Vector3d'),
}

export const isMessage = (kind: FieldType): kind is keyof Messages => kind in schema

function listed(message: keyof Messages): MessageField[] {
  const fields: Fields<Record<string, unknown>> = schema[message]
  return Object.entries(fields).map(([number, [name, kind]]) => ({
    number: Number(number),
    name,
    kind,
    tag: Number(number) * 8 + (wireTypes[kind] ?? 2),
  }))
}
