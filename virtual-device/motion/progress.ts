/** Seconds per lap, which has four legs; the device pauses briefly at the end of each leg. */
export const lap = 10
const legs = 4
const moving = 2

/** Position on the lap in radians, and its first two time derivatives. */
interface Progress {
  angle: number
  rate: number
  acceleration: number
}

/** Moves from stop to stop with minimum jerk, so that position, velocity and acceleration are continuous. */
export function progress(seconds: number): Progress {
  const sinceLap = seconds - lap * Math.floor(seconds / lap)
  const leg = Math.floor((sinceLap * legs) / lap)
  const part = Math.min(1, (sinceLap - (leg * lap) / legs) / moving)
  const turn = (2 * Math.PI) / legs
  return {
    angle: turn * (leg + part ** 3 * (10 - 15 * part + 6 * part ** 2)),
    rate: (turn / moving) * 30 * part ** 2 * (1 - part) ** 2,
    acceleration: (turn / moving ** 2) * 60 * part * (1 - part) * (1 - 2 * part),
  }
}
