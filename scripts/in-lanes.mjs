import { cpus } from 'node:os'

/** Milliseconds between two looks at the processor, and the share of it that must idle for a further job. */
const look = 2000
const idleEnough = 0.25

/**
 * Runs jobs, so many at a time, in their order; up to twice as many while the processor idles, because all of them wait for
 * something. Resolves when all have ended.
 *
 * @param count of jobs at a time
 * @param options.idle which share of the processor has idled since its last call
 */
export async function inLanes(count, jobs, run, { idle = idleSince() } = {}) {
  const waiting = [...jobs]
  const running = new Set()
  const start = () => {
    const job = run(waiting.shift()).then(() => running.delete(job))
    running.add(job)
    return job
  }
  const lane = async () => {
    while (waiting.length) await start()
  }
  const timer = setInterval(() => {
    if (idle() > idleEnough && running.size < 2 * count && waiting.length) void start()
  }, look)
  try {
    await Promise.all(Array.from({ length: count }, lane))
    await Promise.all(running)
  } finally {
    clearInterval(timer)
  }
}

/** Returns which share of the processor has idled since the last call. */
function idleSince() {
  let before = times()
  return () => {
    const now = times()
    const share = (now.idle - before.idle) / (now.all - before.all)
    before = now
    return share
  }
}

function times() {
  const sum = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    sum.idle += times.idle
    for (const time of Object.values(times)) sum.all += time
  }
  return sum
}
