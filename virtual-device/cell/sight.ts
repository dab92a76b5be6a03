import type { Pose } from '../../lib/robotics/pose'
import type { Scene } from '../detection/scene'
import type { Module } from '../module'
import type { Scenario } from '../scenario'
import { type CellSnapshot, disturbed, sentenceOf } from './cell'

/** What stands before the camera of a pipeline, in its frame. */
export interface Sight {
  /** The scene of the detection modules. */
  scene: () => Scene
  /** The calibration grid, as seen from the last reported pose. */
  grid: () => CellSnapshot
  /** Whether poses are being recorded: the grid is then in front of the camera. */
  calibrating: boolean
  /** Standard deviation of a measured depth, metres. */
  noise: number
}

/** The module that knows both scene and grid. */
export type SeeingModule = Module & { sight: () => Sight }

/** @param handEye the hand-eye calibration of a pipeline */
export const sightOf = (handEye: Module | undefined): Sight | undefined =>
  (handEye as SeeingModule | undefined)?.sight()

/** Whether the grid is in front of the camera in place of the scene. */
export const seesGrid = ({ image_view }: Scenario, sight: Sight | undefined): boolean =>
  image_view === 'grid' || (image_view === 'auto' && sight?.calibrating === true)

/**
 * What a camera detects of the grid at one pose of the robot. Poses in its frame, as if it knew the true size of the
 * grid.
 */
export interface Sighting {
  grid: Pose
  /** True edges of that grid, metres. */
  width: number
  height: number
  tags: { id: string; size: number; pose: Pose }[]
}

/** The distance for which the noise of the settings applies, metres. */
const usualDistance = 0.6

/**
 * @param tagIds ids of AprilTags to be detected besides the grid
 * @returns the reason if the grid is not recognised
 */
export function seenIn(
  { grid, tags, settings, hindrance, view }: CellSnapshot,
  tagIds: readonly string[],
  random: () => number,
): Sighting | string {
  if (hindrance) return sentenceOf(hindrance)
  const detected = (pose: Pose): Pose => {
    const farther = pose.position.z / usualDistance
    const across = settings.grid_noise * farther
    return disturbed(pose, random, { across, along: 2 * across }, settings.grid_noise_degrees * farther)
  }
  return {
    grid: detected(grid),
    width: settings.grid_width,
    height: settings.grid_height,
    tags: tags
      .filter(({ id, kind, pose }) => kind === 'april' && tagIds.includes(id) && view.inImage(pose.position))
      .map(({ id, size, pose }) => ({ id, size, pose: detected(pose) })),
  }
}

/**
 * What a camera detects if it assumes that size of the grid: it measures only angles, so distances scale with the size.
 */
export function believing(width: number, height: number, seen: Sighting): Sighting {
  const scale = Math.sqrt((width * height) / (seen.width * seen.height))
  const scaled = (pose: Pose): Pose => ({
    ...pose,
    position: { x: scale * pose.position.x, y: scale * pose.position.y, z: scale * pose.position.z },
  })
  return {
    grid: scaled(seen.grid),
    width,
    height,
    tags: seen.tags.map(({ id, size, pose }) => ({ id, size: scale * size, pose: scaled(pose) })),
  }
}

/** The calibration of the camera itself, for results that are valid only as long as it is. */
export function cameraCalibration() {
  const dependents: (() => void)[] = []
  return {
    /** @param invalid called when the camera has been recalibrated */
    onRenewed: (invalid: () => void) => void dependents.push(invalid),
    renewed: () => {
      for (const invalid of dependents) invalid()
    },
  }
}
