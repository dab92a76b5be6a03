import type { PlanSettings } from './settings'

/** [name, value, least, most]: the units are in the names. */
type Bound = readonly [string, number | undefined, number, number]

/** Returns the settings. @throws RangeError with a sentence that names a setting, its bounds and the value */
export function checked(settings: PlanSettings): PlanSettings {
  const { grid, camera, limits, wanted, most, fourAxis } = settings
  const { step, box } = limits
  const bounds: readonly Bound[] = [
    ['the width of the grid in metres', grid.width, 0.005, 10],
    ['the height of the grid in metres', grid.height, 0.005, 10],
    ['the width of the picture in pixels', camera.width, 16, 100_000],
    ['the height of the picture in pixels', camera.height, 16, 100_000],
    ['the focal length in pixels', camera.focalLength, 1, 1_000_000],
    ['the largest tilt in degrees', limits.tilt, 5, 70],
    ['the largest roll in degrees', limits.roll, 0, 180],
    ['the largest rotation in degrees', limits.cone, 5, 180],
    ['the nearest distance in metres', limits.nearest, 0.01, 100],
    ['the farthest distance in metres', limits.farthest, 0.01, 100],
    ['the floor in metres', limits.floor, -100, 100],
    ['the reach in metres', limits.reach, 0.05, 100],
    ['the largest step in metres', step.metres, 0.005, 10],
    ['the largest step in degrees', step.degrees, 1, 180],
    ['the margin as a share of the picture', limits.margin, 0, 0.4],
    ['the wanted accuracy in metres', wanted.metres, 1e-6, 1],
    ['the wanted accuracy in degrees', wanted.degrees, 1e-5, 90],
    ['the most poses of the plan', most, 3, 100],
    ['the offset along the axis in metres', fourAxis?.offset, -20, 20],
  ]
  for (const bound of bounds) check(bound)
  const { nearest = 0, farthest = Infinity } = limits
  if (nearest >= farthest)
    throw new RangeError(`The nearest distance, ${nearest} m, must be below the farthest, ${farthest} m.`)
  for (const axis of ['x', 'y', 'z'] as const)
    if (box && !(box.least[axis] < box.most[axis]))
      throw new RangeError(
        `The workspace box must be wider than nothing along ${axis}: from ${box.least[axis]} to ${box.most[axis]} m.`,
      )
  return settings
}

function check([name, value, least, most]: Bound): void {
  if (value === undefined || (value >= least && value <= most)) return
  throw new RangeError(`${capital(name)} must be from ${least} to ${most}, got ${value}.`)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
