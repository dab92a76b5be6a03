/** Milliseconds for spans within this process; no change of the clock moves them. */
export const steadyNow = (): number => performance.now()
