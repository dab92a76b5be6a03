import { isSighting, type Attempt, type Purpose } from '../robotics'

/** Those that say least about the camera give their slots back first. */
const order: readonly Purpose[] = ['view', 'turn', 'taught', 'shift']

/**
 * The attempts that a device with few slots is to keep for its own calibration: those at which the grid was seen, of
 * which the first moves make room for poses of the plan.
 *
 * @param slots of the device
 * @returns indices among the attempts, in their order
 */
export function attemptsToKeep(attempts: readonly Attempt[], slots: number): number[] {
  const seen = [...attempts.keys()].filter((index) => {
    const attempt = attempts[index]
    return attempt && isSighting(attempt) && attempt.purpose !== 'again'
  })
  const rank = (index: number) => order.indexOf(attempts[index]?.purpose ?? 'shift')
  // Of the same rank, the later ones give way: the plan's first views are spread widest.
  const ranked = [...seen].sort((one, other) => rank(one) - rank(other) || one - other)
  return ranked.slice(0, slots).sort((one, other) => one - other)
}
