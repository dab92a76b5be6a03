import { attemptsToKeep, differenceOf } from '../../../lib/calibration'
import { identity, type Attempt, type Pose, type Purpose } from '../../../lib/robotics'
import { type SetPoseAnswer, slotCount } from '../device'
import type { CalibrationStep } from '../session'

/** Devices round what they store, metres and degrees. */
const rounding = { metres: 1e-4, degrees: 0.01 }

/** The slot in which the device has a pose. */
export function slotOf(poses: ReadonlyMap<number, Pose>, pose: Pose): number | undefined {
  const found = [...poses].find(([, each]) => {
    const off = differenceOf(each, pose)
    return off.metres < rounding.metres && off.degrees < rounding.degrees
  })
  return found?.[0]
}

/** Has the device record the pose at which the robot stands; where no slot is free, a first move gives its own back. */
export async function recordOnDevice(
  { session, device }: Pick<CalibrationStep, 'session' | 'device'>,
  attempts: readonly Attempt[],
  { purpose, robot }: { purpose: Purpose; robot: Pose },
): Promise<SetPoseAnswer | undefined> {
  const slot =
    slotOf(session.poses, robot) ?? session.slotFor(robot) ?? given(session.poses, attempts, purpose)
  return slot === undefined ? undefined : session.record(device, slot, robot)
}

/** The slot of a pose that makes room for a new one; undefined if the new one says least. */
function given(
  poses: ReadonlyMap<number, Pose>,
  attempts: readonly Attempt[],
  purpose: Purpose,
): number | undefined {
  const all: Attempt[] = [...attempts, { purpose, robot: identity(), grid: identity() }]
  const kept = attemptsToKeep(all, slotCount)
  if (!kept.includes(attempts.length)) return undefined
  const keeps = new Set(kept.map((index) => attempts[index]).map((each) => each && slotOf(poses, each.robot)))
  return [...poses.keys()].find((slot) => !keeps.has(slot))
}

/** Poses that the device should have and has not, as after a restart. Empty where it has most of them. */
export function lostOnDevice(poses: ReadonlyMap<number, Pose>, attempts: readonly Attempt[]): Pose[] {
  const kept = attemptsToKeep(attempts, slotCount).flatMap((index) => attempts[index]?.robot ?? [])
  const lost = kept.filter((pose) => slotOf(poses, pose) === undefined)
  return lost.length > kept.length / 2 ? lost : []
}
