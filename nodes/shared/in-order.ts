interface QueuePlace {
  release?: () => void
}

/** Processes several jobs at once and releases their results in the order in which the jobs arrived. */
interface InOrder<Job> {
  /** Returns false if the queue is full. */
  take: (job: Job) => boolean
  waiting: () => number
  /** Resolves when no job is open or waiting. */
  idle: () => Promise<void>
}

interface Working<Job> {
  /** Never rejects; calls the function that it resolves with when it is the job's turn. */
  work: (job: Job) => Promise<() => void>
  /**
   * Called after jobs have arrived or left.
   * @param open jobs begun whose results are not released yet
   * @param waiting jobs in the queue
   */
  moved?: (open: number, waiting: number) => void
}

/**
 * @param atOnce jobs processed at the same time; 1 is strictly sequential
 * @param room length of the queue
 */
export function inOrder<Job>(atOnce: number, room: number, { work, moved }: Working<Job>): InOrder<Job> {
  const open: QueuePlace[] = []
  const waiting: Job[] = []
  let whenIdle: (() => void)[] = []

  const begin = (job: Job) => {
    const place: QueuePlace = {}
    open.push(place)
    void work(job).then((release) => {
      place.release = release
      letGo()
    })
  }

  function letGo() {
    for (let first = open[0]; first?.release; first = open[0]) {
      open.shift()
      first.release()
    }
    while (open.length < atOnce) {
      const next = waiting.shift()
      if (next === undefined) break
      begin(next)
    }
    moved?.(open.length, waiting.length)
    if (open.length === 0) {
      for (const resolve of whenIdle) resolve()
      whenIdle = []
    }
  }

  return {
    take(job) {
      if (open.length < atOnce) begin(job)
      else if (waiting.length < room) waiting.push(job)
      else return false
      moved?.(open.length, waiting.length)
      return true
    },
    waiting: () => waiting.length,
    idle: () =>
      open.length === 0 ? Promise.resolve() : new Promise((resolve) => void whenIdle.push(resolve)),
  }
}
