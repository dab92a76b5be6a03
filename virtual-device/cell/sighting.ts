import type { Pose } from '../../lib/robotics/pose'
import type { CellSnapshot } from './cell'
import { sentenceOf } from './hindrance'
import { disturbed } from './noise'

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
