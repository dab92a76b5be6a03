import type { Pose } from '../../lib/robotics/pose'
import { type Environment, type Json, type ServiceDefinition } from '../module'
import { outcome, outcomeShape, wholePose } from './hand-eye-shapes'
import { isUnit } from './invalid-argument'
import { poseShape } from './pose-shape'

type RecordedPose = { slot: number; pose: Pose; overexposed: boolean; tag_ids: string[] }

const slots = 16
/** Fewest poses that a calibration needs. */
export const enoughPoses = 4

/** The robot poses that were recorded, each with the image of the grid that was seen from it. */
export function handEyePoses({ scenario, changed }: Pick<Environment, 'scenario' | 'changed'>) {
  const recorded = new Map<number, RecordedPose>()
  const inOrder = () => [...recorded.values()].sort((one, other) => one.slot - other.slot)

  const services: Record<string, ServiceDefinition> = {
    set_pose: {
      description: 'Records a pose of the robot and the image of the grid from there in a slot.',
      // The specification says int32; a negative slot then is answered and not refused.
      args: { pose: poseShape, slot: 'int32' },
      required: ['slot', ...wholePose],
      response: { ...outcomeShape, overexposed: 'bool' },
      call: ({ args, parameters }) => {
        const { slot, pose } = args as { slot: number; pose: Pose }
        const refused = (status: number, message: string) => ({
          ...outcome(false, status, message),
          overexposed: false,
        })
        if (slot < 0 || slot >= slots) return refused(13, `slot must be from 0 to ${slots - 1}, not ${slot}`)
        if (!isUnit(pose.orientation)) return refused(12, 'pose.orientation must be a unit quaternion')
        if (!scenario().grid_visible) return refused(4, 'Grid not detected.')
        const tag_ids = String(parameters.tag_ids)
          .split(',')
          .map((id) => id.trim())
        recorded.set(slot, { slot, pose, overexposed: false, tag_ids: tag_ids.filter(Boolean) })
        changed()
        const stored = 'Grid detected, pose stored.'
        return {
          ...(recorded.size < enoughPoses
            ? outcome(true, 1, stored)
            : outcome(true, 3, `${stored} Ready to calibrate.`)),
          overexposed: false,
        }
      },
    },
    get_poses: {
      description: 'Lists the recorded poses.',
      args: {},
      response: {
        ...outcomeShape,
        poses: [{ overexposed: 'bool', pose: poseShape, slot: 'uint32', tag_ids: ['string'] }],
      },
      call: () => ({
        ...(recorded.size > 0
          ? outcome(true, 0, `${recorded.size} poses recorded.`)
          : outcome(true, 1, 'No pose recorded.')),
        poses: inOrder(),
      }),
    },
    delete_poses: {
      description: 'Deletes the recorded poses in the slots that are named.',
      args: { slots: ['uint32'] },
      response: outcomeShape,
      call: ({ args }) => {
        const named = (args.slots ?? []) as number[]
        if (named.length === 0) return outcome(true, 1, 'No slots given.')
        for (const slot of named) recorded.delete(slot)
        changed()
        return outcome(true, 0, 'Poses deleted.')
      },
    },
  }

  return {
    services,
    count: () => recorded.size,
    clear: () => recorded.clear(),
    save: (): Json => inOrder(),
    restore: (saved: Json | undefined) => {
      recorded.clear()
      for (const each of (saved ?? []) as RecordedPose[]) recorded.set(each.slot, each)
    },
  }
}
