/** Milliseconds since 1970, that in this process no change of the clock moves. */
export const steadyNow = (): number => performance.timeOrigin + performance.now()
