interface QueuePlace {
  release?: () => void
}

/** Works on several jobs at once and lets their results go in the order in which the jobs came. */
interface InOrder<Job> {
  /** False when the job found no place to wait in. */
  take: (job: Job) => boolean
  waiting: () => number
  /** Resolves when nothing is open or waiting. */
  idle: () => Promise<void>
}

interface Working<Job> {
  /** Never rejects; what it resolves with is called when the turn of the job has come. */
  work: (job: Job) => Promise<() => void>
  /**
   * Called after jobs have come or gone.
   * @param open jobs begun whose results have not gone yet
   * @param waiting jobs that have no place yet
   */
  moved?: (open: number, waiting: number) => void
}

/**
 * @param atOnce jobs worked on at the same time; 1 is strictly one after another
 * @param room jobs that may wait beyond these
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
