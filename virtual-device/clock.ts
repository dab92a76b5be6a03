/** The device's clock. Tests pass one of their own and move it, so that nothing waits. */
export interface Clock {
  /** Seconds since 1970. */
  now: () => number
}

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() / 1000 }

/** A clock that stands still until it is moved. */
export function manualClock(start = 1_700_000_000): Clock & { advance: (seconds: number) => void } {
  let time = start
  return {
    now: () => time,
    advance: (seconds) => {
      time += seconds
    },
  }
}
