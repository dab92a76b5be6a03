import 'should'
import { inOrder } from '../../nodes/shared/in-order'

/** Jobs that end when the test says so. */
function controlled(atOnce: number, room: number) {
  const released: number[] = []
  const ends = new Map<number, () => void>()
  const moves: string[] = []
  const queue = inOrder<number>(atOnce, room, {
    work: async (job) => {
      await new Promise<void>((resolve) => ends.set(job, resolve))
      return () => void released.push(job)
    },
    moved: (open, waiting) => moves.push(`${open} open, ${waiting} waiting`),
  })
  return { released, moves, queue, begun: () => [...ends.keys()], end: (job: number) => ends.get(job)?.() }
}

describe('work in order', () => {
  it('releases results in the order in which the jobs arrived', async () => {
    const { queue, released, end } = controlled(3, 10)
    for (const job of [1, 2, 3]) queue.take(job).should.be.true()
    end(3)
    end(2)
    await Promise.resolve()
    released.should.eql([])
    end(1)
    await queue.idle()
    released.should.eql([1, 2, 3])
  })

  it('begins no more jobs at once than allowed, and then the next', async () => {
    const { queue, begun, end } = controlled(2, 10)
    for (const job of [1, 2, 3]) queue.take(job)
    begun().should.eql([1, 2])
    queue.waiting().should.equal(1)
    end(2)
    end(1)
    while (begun().length < 3) await Promise.resolve()
    begun().should.eql([1, 2, 3])
    end(3)
    await queue.idle()
  })

  it('reports a job as waiting only while it waits', async () => {
    const { queue, moves, end } = controlled(1, 2)
    for (const job of [1, 2]) queue.take(job)
    end(1)
    while (moves.length < 3) await Promise.resolve()
    end(2)
    await queue.idle()
    moves.should.eql(['1 open, 0 waiting', '1 open, 1 waiting', '1 open, 0 waiting', '0 open, 0 waiting'])
  })

  it('refuses a job when the queue is full', async () => {
    const { queue, end } = controlled(1, 1)
    queue.take(1).should.be.true()
    queue.take(2).should.be.true()
    queue.take(3).should.be.false()
    end(1)
    while (queue.waiting() > 0) await Promise.resolve()
    queue.take(4).should.be.true()
    end(2)
    while (queue.waiting() > 0) await Promise.resolve()
    end(4)
    await queue.idle()
  })
})
