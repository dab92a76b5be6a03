import { identity, type Pose, type Vector, isUnit } from '../lib/robotics/pose'
import { type Environment, returnCode, type ParameterValue } from './module'

/** Any part of a service's arguments may be omitted. */
export type PartialArguments<T> = T extends (infer Element)[]
  ? PartialArguments<Element>[]
  : T extends object
    ? { [Key in keyof T]?: PartialArguments<T[Key]> }
    : T

/** Right type, but the service does not accept the value; the message names the field. */
export class InvalidArgument extends Error {
  override name = 'InvalidArgument' as const
}

export function named(value: string | undefined, field: string): string {
  if (!value) throw new InvalidArgument(`${field} must not be empty`)
  return value
}

export function within(
  value: number | undefined,
  [min, max]: readonly [number, number],
  field: string,
): number {
  if (value === undefined) throw new InvalidArgument(`${field} is missing`)
  if (value < min || value > max)
    throw new InvalidArgument(`${field} must be from ${min} to ${max}, not ${value}`)
  return value
}

export function positive(value: number | undefined, field: string): number {
  if (value === undefined) throw new InvalidArgument(`${field} is missing`)
  if (!(value > 0)) throw new InvalidArgument(`${field} must be greater than 0, not ${value}`)
  return value
}

/** @returns 0 if nothing is given */
export function notNegative(value: number | undefined, field: string): number {
  if (value !== undefined && value < 0)
    throw new InvalidArgument(`${field} must not be negative, but is ${value}`)
  return value ?? 0
}

export function oneOf<Choice extends string>(
  value: string | undefined,
  choices: readonly Choice[],
  field: string,
): Choice {
  const choice = choices.find((each) => each === value)
  if (choice === undefined)
    throw new InvalidArgument(`${field} must be ${choices.join(' or ')}, not '${value ?? ''}'`)
  return choice
}

/** Undefined if the orientation is all zeros: programs with messages of a fixed form send that without a pose. */
export function unlessZero(pose: PartialArguments<Pose> | undefined): PartialArguments<Pose> | undefined {
  const { w = 0, x = 0, y = 0, z = 0 } = pose?.orientation ?? { w: 1 }
  return [w, x, y, z].some((part) => part !== 0) ? pose : undefined
}

/** The identity if nothing is given. */
export function complete(pose: PartialArguments<Pose> | undefined, field: string): Pose {
  const { position, orientation } = identity()
  const full = {
    position: { ...position, ...pose?.position },
    // Missing components of a given rotation are 0: w = 1 is never implied.
    orientation: pose?.orientation ? { ...orientation, w: 0, ...pose.orientation } : orientation,
  }
  if (!isUnit(full.orientation)) throw new InvalidArgument(`${field}.orientation must be a unit quaternion`)
  return full
}

export const positiveVector = (vector: PartialArguments<Vector> | undefined, field: string): Vector => ({
  x: positive(vector?.x, `${field}.x`),
  y: positive(vector?.y, `${field}.y`),
  z: positive(vector?.z, `${field}.z`),
})

/** For a parameter that only some kinds of sensor have. */
export const optionalParameter = (
  { module, parameter }: Pick<Environment, 'module' | 'parameter'>,
  moduleName: string,
  name: string,
): ParameterValue | undefined =>
  module(moduleName)?.parameters.some((each) => each.name === name) ? parameter(moduleName, name) : undefined

export const vectorShape = { x: 'float64', y: 'float64', z: 'float64' } as const

export const poseShape = {
  orientation: { w: 'float64', x: 'float64', y: 'float64', z: 'float64' },
  position: vectorShape,
} as const

/** A remark of a service in addition to its answer; positive values. */
export interface Remark {
  value: number
  message: string
}

/** Of several remarks the device reports the smallest value and all the messages. */
export function codeOf(remarks: readonly Remark[]): ReturnType<typeof returnCode> {
  if (remarks.length === 0) return returnCode(0)
  const message = remarks.map((each) => each.message).join('; ')
  return returnCode(Math.min(...remarks.map(({ value }) => value)), message)
}

/** The device reports six significant digits. */
export const rounded = (value: number): number => Number(value.toPrecision(6))

export const timestampShape = { sec: 'int32', nsec: 'int32' } as const

export interface Timestamp {
  sec: number
  nsec: number
}

/** Seconds since 1970 as whole seconds and nanoseconds. */
export function timestamp(seconds: number): Timestamp {
  const sec = Math.floor(seconds)
  return { sec, nsec: Math.floor((seconds - sec) * 1e9) }
}
