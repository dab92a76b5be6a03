import type { Pose } from '../robotics/pose'
import { rotationNumbers, rotationOf, type RotationNumbers, type WireFormat } from './wire-format'

/** "GRI" and a zero. */
export const magic = Buffer.from([0x47, 0x52, 0x49, 0x00])
export const version = 1
/** Bytes of the header: magic, version, length, pose format, action. */
export const headerBytes = 8
export const requestBytes = 54
export const answerBytes = 80
/** Offsets in both messages. */
export const at = { version: 4, length: 5, poseFormat: 6, action: 7, jobId: 8 } as const

const limits = { min: -0x8000_0000, max: 0x7fff_ffff }
/** Millimetres, degrees and the like per unit of a field. */
const perUnit = 1e6
/** Metres per unit of a position. */
const metres = 1e9

/** A number that does not fit into its field. Beyond ±2147.483647 mm a pose cannot be sent. */
export class OutOfRange extends RangeError {
  override readonly name = 'OutOfRange'

  constructor(
    /** What it is: `x`, `rot_1`, `data_4`. */
    readonly field: string,
    /** In the unit of the message: millimetres, radians or degrees. */
    readonly value: number,
  ) {
    super(`${field} is ${value}: the robot interface carries at most ±2147.483647`)
  }
}

/** Writes an int32. @throws OutOfRange if the number is not finite or does not fit; nothing is written then */
export function writeInt(bytes: Buffer, offset: number, field: string, units: number, shown = units): void {
  const whole = Math.round(units)
  if (!(whole >= limits.min && whole <= limits.max)) throw new OutOfRange(field, shown)
  bytes.writeInt32LE(whole, offset)
}

/** Writes a number times a million. @throws OutOfRange */
export const writeScaled = (bytes: Buffer, offset: number, field: string, value: number): void =>
  writeInt(bytes, offset, field, value * perUnit, value)

/** Writes the header of a message. */
export function writeHeader(bytes: Buffer, poseFormat: number, action: number): void {
  magic.copy(bytes)
  bytes[at.version] = version
  bytes[at.length] = bytes.length
  bytes[at.poseFormat] = poseFormat
  bytes[at.action] = action
}

/** Writes the seven numbers of a pose. @throws OutOfRange */
export function writePose(
  bytes: Buffer,
  offset: number,
  format: WireFormat,
  { position, orientation }: Pose,
): void {
  const { x, y, z } = position
  const lengths = Object.entries({ x, y, z })
  for (const [index, [axis, length]] of lengths.entries())
    writeInt(bytes, offset + 4 * index, axis, length * metres, length * 1000)
  for (const [index, number] of rotationNumbers(format, orientation).entries())
    writeScaled(bytes, offset + 12 + 4 * index, `rot_${index + 1}`, number)
}

/** The pose at that offset, in metres; undefined if its quaternion is zero. */
export function readPose(bytes: Buffer, offset: number, format: WireFormat): Pose | undefined {
  const int = (index: number) => bytes.readInt32LE(offset + 4 * index)
  const numbers = [3, 4, 5, 6].map((index) => int(index) / perUnit) as unknown as RotationNumbers
  const orientation = rotationOf(format, numbers)
  if (!orientation) return undefined
  return { position: { x: int(0) / metres, y: int(1) / metres, z: int(2) / metres }, orientation }
}
