/** Runs jobs, so many at a time, in their order. Resolves when all have ended. */
export async function inLanes(count, jobs, run) {
  const waiting = [...jobs]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next)
  }
  await Promise.all(Array.from({ length: count }, lane))
}
