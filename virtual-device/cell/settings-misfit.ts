import { lengthOf } from '../../lib/robotics/pose'
import type { CellSettings } from './cell-settings'

const poses = ['camera_on_hand', 'grid_in_cell', 'grid_on_hand', 'camera_in_cell'] as const
/** Manually typed digits are rounded. */
const tolerance = 0.01

/** What is wrong with settings of the right types, as a sentence; undefined if they are valid. */
export function settingsMisfit(settings: Partial<CellSettings>): string | undefined {
  const skewed = poses.find((name) => {
    const pose = settings[name]
    return pose && Math.abs(lengthOf(pose.orientation) - 1) > tolerance
  })
  if (skewed) return `${skewed}.orientation must be a unit quaternion.`
  const { nearest = 0, farthest = Infinity } = settings
  return nearest < farthest ? undefined : `nearest (${nearest}) must be less than farthest (${farthest}).`
}
