import { Cursor, Misread, skipField, ProtobufError } from './wire'
import {
  type Dynamics,
  fieldsOf,
  type Frame,
  type Imu,
  isMessage,
  type Messages,
  type Pose,
  type PoseStamped,
  type Quaternion,
  schema,
  type StreamMessages,
  type StreamMessageType,
  type Time,
  type Vector3d,
} from './messages'

/**
 * Decodes one message of `streams.proto` from a datagram. Absent fields stay absent, repeated numbers may be packed or
 * not, and unknown fields are skipped.
 * @throws ProtobufError for a field that is truncated, has a wrong wire type or cannot be read, with its path and
 * offset
 */
export function decodeMessage<Type extends StreamMessageType>(
  type: Type,
  bytes: Uint8Array,
): StreamMessages[Type] {
  const cursor = new Cursor(bytes)
  try {
    return readers[type](cursor, bytes.length)
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    const { message, truncated } = error
    const offset = cursor.field
    throw new ProtobufError(message, { offset, path: fieldPath(cursor, type, offset), truncated })
  }
}

/*
 * One function per message, each with a switch over tags (field number × 8 + wire type) and stores to named properties:
 * the engine compiles these to the code of a generated decoder. A loop over the schema is several times slower, and
 * protobufjs does not report absent fields, wrong wire types or where reading failed.
 *
 * All are in one file, because calls into another file make small messages a third slower.
 *
 * A message that comes in several parts is merged, as in all decoders.
 */
type Read<Message> = (cursor: Cursor, end: number, into?: Message) => Message

const readers: { readonly [Type in keyof StreamMessages]: Read<StreamMessages[Type]> } = {
  Frame: readFrame,
  Dynamics: readDynamics,
  Imu: readImu,
}

function readFrame(cursor: Cursor, end: number, frame: Frame = {}): Frame {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        frame.pose = readPoseStamped(cursor, cursor.end(end), frame.pose)
        break
      case 0x12 /* 2 */:
        frame.parent = cursor.text(end)
        break
      case 0x1a /* 3 */:
        frame.name = cursor.text(end)
        break
      case 0x22 /* 4 */:
        frame.producer = cursor.text(end)
        break
      default:
        skipUnknown('Frame', cursor, tag, end)
    }
  }
  return frame
}

function readDynamics(cursor: Cursor, end: number, dynamics: Dynamics = {}): Dynamics {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        dynamics.timestamp = readTime(cursor, cursor.end(end), dynamics.timestamp)
        break
      case 0x12 /* 2 */:
        dynamics.pose = readPose(cursor, cursor.end(end), dynamics.pose)
        break
      case 0x1a /* 3 */:
        dynamics.pose_frame = cursor.text(end)
        break
      case 0x22 /* 4 */:
        dynamics.linear_velocity = readVector(cursor, cursor.end(end), dynamics.linear_velocity)
        break
      case 0x2a /* 5 */:
        dynamics.linear_velocity_frame = cursor.text(end)
        break
      case 0x32 /* 6 */:
        dynamics.angular_velocity = readVector(cursor, cursor.end(end), dynamics.angular_velocity)
        break
      case 0x3a /* 7 */:
        dynamics.angular_velocity_frame = cursor.text(end)
        break
      case 0x42 /* 8 */:
        dynamics.linear_acceleration = readVector(cursor, cursor.end(end), dynamics.linear_acceleration)
        break
      case 0x4a /* 9 */:
        dynamics.linear_acceleration_frame = cursor.text(end)
        break
      case 0x51 /* 10, alone */:
        dynamics.covariance = cursor.doubles(tag, end, dynamics.covariance)
        break
      case 0x52 /* 10, packed */:
        dynamics.covariance = cursor.packedDoubles(end, dynamics.covariance)
        break
      case 0x5a /* 11 */:
        dynamics.cam2imu_transform = readFrame(cursor, cursor.end(end), dynamics.cam2imu_transform)
        break
      case 0x60 /* 12 */:
        dynamics.possible_jump = cursor.bool(end)
        break
      case 0x6a /* 13 */:
        dynamics.producer = cursor.text(end)
        break
      default:
        skipUnknown('Dynamics', cursor, tag, end)
    }
  }
  return dynamics
}

function readImu(cursor: Cursor, end: number, imu: Imu = {}): Imu {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        imu.timestamp = readTime(cursor, cursor.end(end), imu.timestamp)
        break
      case 0x12 /* 2 */:
        imu.linear_acceleration = readVector(cursor, cursor.end(end), imu.linear_acceleration)
        break
      case 0x1a /* 3 */:
        imu.angular_velocity = readVector(cursor, cursor.end(end), imu.angular_velocity)
        break
      default:
        skipUnknown('Imu', cursor, tag, end)
    }
  }
  return imu
}

function readPoseStamped(cursor: Cursor, end: number, stamped: PoseStamped = {}): PoseStamped {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        stamped.timestamp = readTime(cursor, cursor.end(end), stamped.timestamp)
        break
      case 0x12 /* 2 */:
        stamped.pose = readPose(cursor, cursor.end(end), stamped.pose)
        break
      default:
        skipUnknown('PoseStamped', cursor, tag, end)
    }
  }
  return stamped
}

function readPose(cursor: Cursor, end: number, pose: Pose = {}): Pose {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x0a /* 1 */:
        pose.position = readVector(cursor, cursor.end(end), pose.position)
        break
      case 0x12 /* 2 */:
        pose.orientation = readQuaternion(cursor, cursor.end(end), pose.orientation)
        break
      case 0x19 /* 3, alone */:
        pose.covariance = cursor.doubles(tag, end, pose.covariance)
        break
      case 0x1a /* 3, packed */:
        pose.covariance = cursor.packedDoubles(end, pose.covariance)
        break
      default:
        skipUnknown('Pose', cursor, tag, end)
    }
  }
  return pose
}

function readTime(cursor: Cursor, end: number, time: Time = {}): Time {
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x08 /* 1 */:
        time.sec = cursor.int64(end)
        break
      case 0x10 /* 2 */:
        time.nsec = cursor.int32(end)
        break
      default:
        skipUnknown('Time', cursor, tag, end)
    }
  }
  return time
}

function readQuaternion(cursor: Cursor, end: number, known?: Quaternion): Quaternion {
  if (!known && cursor.atDoubles(0x11, 4, end))
    return {
      x: cursor.taggedDouble(),
      y: cursor.taggedDouble(),
      z: cursor.taggedDouble(),
      w: cursor.taggedDouble(),
    }
  const quaternion = known ?? {}
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x11 /* 2 */:
        quaternion.x = cursor.double(end)
        break
      case 0x19 /* 3 */:
        quaternion.y = cursor.double(end)
        break
      case 0x21 /* 4 */:
        quaternion.z = cursor.double(end)
        break
      case 0x29 /* 5 */:
        quaternion.w = cursor.double(end)
        break
      default:
        skipUnknown('Quaternion', cursor, tag, end)
    }
  }
  return quaternion
}

function readVector(cursor: Cursor, end: number, known?: Vector3d): Vector3d {
  if (!known && cursor.atDoubles(0x09, 3, end))
    return { x: cursor.taggedDouble(), y: cursor.taggedDouble(), z: cursor.taggedDouble() }
  const vector = known ?? {}
  while (cursor.at < end) {
    const tag = cursor.tag(end)
    switch (tag) {
      case 0x09 /* 1 */:
        vector.x = cursor.double(end)
        break
      case 0x11 /* 2 */:
        vector.y = cursor.double(end)
        break
      case 0x19 /* 3 */:
        vector.z = cursor.double(end)
        break
      default:
        skipUnknown('Vector3d', cursor, tag, end)
    }
  }
  return vector
}

/** A tag without a case: a field of newer firmware, or a known field with a wrong wire type. */
function skipUnknown(message: keyof Messages, cursor: Cursor, tag: number, end: number): void {
  if (tag >>> 3 in schema[message]) throw new Misread(`the field cannot have the wire type ${tag & 7}`)
  skipField(cursor, tag, end)
}

/**
 * Path of the field that begins at this position. Used only after a failure, because tracking a path while reading
 * costs time. Everything before the position has been read successfully.
 */
function fieldPath(cursor: Cursor, message: keyof Messages, place: number): string {
  const path: string[] = [message]
  let end = cursor.bytes.length
  let within = message
  cursor.at = 0
  while (cursor.at <= place && cursor.at < end) {
    const at = cursor.at
    const tag = readableTag(cursor, end)
    if (tag === undefined) break
    const field = fieldsOf[within].find(({ number }) => number === tag >>> 3)
    const name = field?.name ?? String(tag >>> 3)
    if (at === place) return [...path, name].join('.')
    if (field && isMessage(field.kind)) {
      const inner = cursor.end(end)
      if (place < inner) {
        path.push(name)
        end = inner
        within = field.kind
      } else cursor.at = inner
    } else skipField(cursor, tag, end)
  }
  return path.join('.')
}

function readableTag(cursor: Cursor, end: number): number | undefined {
  try {
    return cursor.tag(end)
  } catch {
    return undefined
  }
}
