import type { Pose } from '../../robotics'
import type { Confirmation, Journal, Mover } from '../parts'
import { startProcedure, type ProcedureRun } from '../procedure/procedure'
import {
  nextByAnswers,
  type AnsweredLook,
  type AnswerGo,
  type AnswerStuck,
  type DeviceVerdict,
  type Judged,
} from './next-answer'
import type { AnswerSettings } from './settings'

/** A device that says whether it sees the grid, not where; and calibrates itself. */
export interface AnsweringDevice {
  /** Records the pose of the hand in a slot, from 0. @returns whether the device recognised the grid there */
  record: (slot: number, hand: Pose, signal: AbortSignal) => Promise<boolean>
  /** Calibrates from what is recorded. @returns undefined if the device cannot yet */
  calibrate: (signal: AbortSignal) => Promise<DeviceVerdict | undefined>
}

/** What a calibration by yes and no works with. */
export interface AnswerParts {
  settings: AnswerSettings
  mover: Mover
  device: AnsweringDevice
  journal: Journal<AnsweredLook>
  /** Asked before each movement; nothing moves until it answers `go`. */
  confirm: (move: AnswerGo, signal: AbortSignal) => Promise<Confirmation>
  /** Told after each look, and before each movement. */
  onProgress?: (next: AnswerGo | Judged | AnswerStuck, looks: readonly AnsweredLook[]) => void
}

/** Seen poses from which a device calibrates. */
const fewestPoses = 4

/**
 * Calibrates where neither the grid nor a tag can be located in a picture of ours: the device says yes or no to each pose,
 * and judges its own calibration. What is missing without sightings: bounds of 95 %, poses that do not fit, the mounting
 * and the size of the grid, views chosen for what they improve, and poses sure to have the grid in the picture. Poses of a
 * device that has lost them in a restart are not recorded again.
 */
export const startCalibrationByAnswers = ({
  settings,
  mover,
  device,
  journal,
  confirm,
  onProgress,
}: AnswerParts): ProcedureRun<Judged | AnswerStuck> =>
  startProcedure<AnsweredLook, AnswerGo, Judged | AnswerStuck>({
    mover,
    journal,
    confirm,
    onProgress,
    next: async (looks, signal) => {
      const canJudge = recorded(looks) >= fewestPoses
      return nextByAnswers(settings, looks, canJudge ? await device.calibrate(signal) : undefined)
    },
    look: async (robot, move, looks, signal) => {
      const purpose = move?.purpose ?? 'taught'
      // A second look at the same pose takes no slot of its own.
      const slot = purpose === 'again' ? Math.max(0, recorded(looks) - 1) : recorded(looks)
      return { purpose, robot, seen: await device.record(slot, robot, signal) }
    },
    leftOut: ({ purpose, pose }) => ({ purpose, robot: pose, seen: false, skipped: true }),
  })

const recorded = (looks: readonly AnsweredLook[]) =>
  looks.filter(({ purpose, seen }) => purpose !== 'again' && seen).length
