import { rollOut, type RolloutJob } from './rollouts'

/** A program that does one rollout, or what is left of it, is killed by itself at a point, and else says how it ended. */
const { job, killAt } = JSON.parse(process.argv[2] ?? '') as { job: RolloutJob; killAt?: number }

let count = 0
rollOut(job, () => {
  if (count++ === killAt) process.kill(process.pid, 'SIGKILL')
}).then(
  (ends) => process.send?.({ ends, count }),
  (error: unknown) => process.send?.({ failed: (error as Error).message }),
)
