import { identity, type Pose, type Vector } from '../../lib/robotics/pose'
import { isUnit } from '../../lib/robotics/quaternion'

/** A caller may omit any part of a service's arguments. */
export type PartialArguments<T> = T extends (infer Element)[]
  ? PartialArguments<Element>[]
  : T extends object
    ? { [Key in keyof T]?: PartialArguments<T[Key]> }
    : T

/** An argument of the right type with a value that the service does not accept; its message names the field. */
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

/**
 * The pose; undefined if its orientation is all zeros. Programs that fill in messages of a fixed form send it if they
 * have no pose.
 */
export function unlessZero(pose: PartialArguments<Pose> | undefined): PartialArguments<Pose> | undefined {
  const { w = 0, x = 0, y = 0, z = 0 } = pose?.orientation ?? { w: 1 }
  return [w, x, y, z].some((part) => part !== 0) ? pose : undefined
}

/** The given pose, complete; the identity if nothing is given. */
export function complete(pose: PartialArguments<Pose> | undefined, field: string): Pose {
  const { position, orientation } = identity()
  const full = {
    position: { ...position, ...pose?.position },
    // Missing components of a given rotation are 0: nobody relies on w = 1 without giving it.
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
