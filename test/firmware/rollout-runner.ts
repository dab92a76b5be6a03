import { rollOut, type RolloutJob } from './rollouts'

/**
 * A program that executes one rollout, or the rest of it; it kills itself at a point, or reports how the rollout ended.
 */
const { job, killAt } = JSON.parse(process.argv[2] ?? '') as { job: RolloutJob; killAt?: number }

let count = 0
rollOut(job, () => {
  if (count++ === killAt) process.kill(process.pid, 'SIGKILL')
}).then(
  (ends) => process.send?.({ ends, count }),
  (error: unknown) => process.send?.({ failed: (error as Error).message }),
)
