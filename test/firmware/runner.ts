import { carryOut, type Job } from './runs'
import type { Point } from './points'

/** A program that executes one run; it kills itself at a point, or reports how the run ended. */
const { job, killAt } = JSON.parse(process.argv[2] ?? '') as { job: Job; killAt?: Point }

carryOut(job, ({ step, nth }) => {
  if (step === killAt?.step && nth === killAt.nth) process.kill(process.pid, 'SIGKILL')
}).then(
  (report) => process.send?.({ report }),
  (error: unknown) => process.send?.({ failed: (error as Error).message }),
)
