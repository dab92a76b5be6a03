import type { Pose } from '../../lib/robotics/pose'
import { isUnit } from '../../lib/robotics/quaternion'
import type { Cell } from '../cell/cell'
import { seenIn, type Sighting } from '../cell/sighting'
import { imageSource } from '../detection/images'
import { ServiceFailure } from '../detection/service-failure'
import type { Environment, Json, ServiceDefinition } from '../module'
import type { ParameterValue } from '../parameter'
import { outcome, outcomeShape, wholePose } from './hand-eye-shapes'
import { poseShape } from '../services/pose-shape'

/** A pose of the robot with what was detected there. */
export interface RecordedPose {
  slot: number
  /** Pose of the hand in the external frame, as reported by the robot. */
  pose: Pose
  overexposed: boolean
  seen: Sighting
}

const slots = 16
/** Fewest poses that a calibration needs. */
export const enoughPoses = 4
/** Mean brightness of an image, 0 to 1, above which parts of the grid are overexposed. */
const burntOut = 0.95

/** The recorded poses of the robot, each with the grid as detected there. */
export function handEyePoses(environment: Environment, cell: Cell) {
  const { random, module, changed } = environment
  const images = environment.ofPipeline(imageSource)
  const recorded = new Map<number, RecordedPose>()
  const inOrder = () => [...recorded.values()].sort((one, other) => one.slot - other.slot)
  const last: { pose?: Pose; message?: string; detected?: boolean } = {}

  /** What is detected there. @throws ServiceFailure with the status of `set_pose` if there is nothing to record */
  const observed = (pose: Pose, asSet: boolean, tagIds: readonly string[]): Sighting => {
    if (cell.settings.locked)
      throw new ServiceFailure(9, 'Another program holds the lock of the calibration.')
    takeImage(images)
    cell.setUp(pose, asSet, recorded.size === 0)
    const seen = seenIn(cell.look(pose, asSet), tagIds, random)
    if (typeof seen === 'string') throw new ServiceFailure(4, seen)
    return seen
  }
  const record = (slot: number, pose: Pose, parameters: Readonly<Record<string, ParameterValue>>) => {
    const tagIds = listed(String(parameters.tag_ids))
    const seen = observed(pose, parameters.robot_mounted === true, tagIds)
    const overexposed = Number(module('camera')?.values?.().brightness ?? 0) > burntOut
    recorded.set(slot, { slot, pose, overexposed, seen })
    changed()
    const stored = 'Grid detected, pose stored.'
    const answer =
      recorded.size < enoughPoses
        ? outcome(true, 1, stored)
        : outcome(true, 3, `${stored} Ready to calibrate.`)
    return { ...answer, overexposed }
  }

  const services: Record<string, ServiceDefinition> = {
    set_pose: {
      description: 'Records a pose of the robot and the image of the grid from there in a slot.',
      // The specification says int32; a negative slot is answered with a status, not refused.
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
        last.pose = pose
        try {
          const answer = record(slot, pose, parameters)
          Object.assign(last, { message: answer.message, detected: true })
          return answer
        } catch (error) {
          if (!(error instanceof ServiceFailure)) throw error
          Object.assign(last, { message: error.message, detected: false })
          return refused(error.returnCode, error.message)
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
        poses: inOrder().map(({ seen, ...each }) => ({ ...each, tag_ids: seen.tags.map(({ id }) => id) })),
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
    /** In the order of the slots. */
    list: inOrder,
    clear: () => recorded.clear(),
    /** The last reported pose and its outcome. */
    last: (): Readonly<typeof last> => last,
    save: (): Json => inOrder() as unknown as Json,
    restore: (saved: Json | undefined) => {
      recorded.clear()
      for (const each of (saved ?? []) as unknown as RecordedPose[]) recorded.set(each.slot, each)
    },
  }
}

const listed = (ids: string) =>
  ids
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)

/** @throws ServiceFailure 8 if the camera provides none */
function takeImage(images: ReturnType<typeof imageSource>): void {
  try {
    images.acquire(false)
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error
    throw new ServiceFailure(8, `No image available: ${error.message}.`)
  }
}
