import should from 'should'
import fc from 'fast-check'
import { Queue, type QueueOptions, type Turn } from '../../lib/kernel/queue'

const stopped = Object.assign(new Error('Stopped by a person.'), { code: 'STOPPED' })
const turn = () => new Promise(setImmediate)

/** Work that ends when the test says so. */
function controlled(options?: QueueOptions) {
  const queue = new Queue(options)
  const left: unknown[] = []
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const add = (job: number, work?: (turn: Turn) => Promise<unknown>) => {
    const done = queue.add(async (own) => {
      begun.push(job)
      if (work) return work(own)
      await new Promise<void>((resolve) => ends.set(job, resolve))
      return job
    })
    done.then(
      (value) => left.push(value),
      (error: unknown) => left.push(`${job} ${(error as { code: string }).code}`),
    )
    return done
  }
  return { queue, add, left, begun, end: (job: number) => ends.get(job)?.() }
}

describe('a queue', () => {
  it('settles in the order of acceptance', async () => {
    const { add, left, end, queue } = controlled({ atOnce: 3 })
    for (const job of [1, 2, 3]) void add(job)
    end(3)
    end(2)
    await turn()
    left.should.be.empty()
    end(1)
    await queue.idle()
    left.should.deepEqual([1, 2, 3])
  })

  it('begins no more at once than allowed, and the next after the answer to the one before', async () => {
    const { add, begun, end, queue } = controlled()
    const order: string[] = []
    const first = add(1).then(() => order.push('answered'))
    void add(2, () => Promise.resolve(order.push('begun')))
    begun.should.deepEqual([1])
    queue.should.have.properties({ open: 1, waiting: 1 })
    end(1)
    await first
    await queue.idle()
    order.should.deepEqual(['answered', 'begun'])
  })

  it('lets nothing overtake what waits, not even what an answer sends', async () => {
    const { add, left, end, queue } = controlled()
    const done = add(1)
    const again = done.then(() => add(3, () => Promise.resolve(3)))
    void add(2, () => Promise.resolve(2))
    end(1)
    await again
    await queue.idle()
    left.should.deepEqual([1, 2, 3])
  })

  it('refuses with BUSY what does not fit', async () => {
    const { add, left, end, queue } = controlled({ room: 1 })
    for (const job of [1, 2, 3]) add(job).catch(() => undefined)
    await turn()
    left.should.deepEqual(['3 BUSY'])
    end(1)
    await turn()
    end(2)
    await queue.idle()
    left.should.deepEqual(['3 BUSY', 1, 2])
    await new Queue({ room: 0, full: () => stopped }).add(() => 1)
  })

  it('tells how much is open and waits, and what waits only while it waits', async () => {
    const moves: string[] = []
    const { add, end, queue } = controlled({
      moved: (open, waiting) => moves.push(`${open} open, ${waiting} waiting`),
    })
    for (const job of [1, 2]) void add(job)
    end(1)
    await turn()
    end(2)
    await queue.idle()
    moves.should.deepEqual([
      '1 open, 0 waiting',
      '1 open, 1 waiting',
      '1 open, 0 waiting',
      '0 open, 0 waiting',
    ])
  })

  it('fails all that it dropped with the reason: what waits at once, what has begun when it has ended', async () => {
    const { add, left, begun, end, queue } = controlled()
    for (const job of [1, 2, 3]) add(job).catch(() => undefined)
    queue.drop(stopped).should.equal(3)
    await turn()
    left.should.deepEqual(['2 STOPPED', '3 STOPPED'])
    const next = add(4, () => Promise.resolve(4))
    await turn()
    begun.should.deepEqual([1])
    end(1)
    ;(await next)?.should.equal(4)
    left.should.deepEqual(['2 STOPPED', '3 STOPPED', '1 STOPPED', 4])
  })

  it('keeps the failure of work that was dropped while it failed', async () => {
    const { add, queue } = controlled()
    const failing = add(1, async () => {
      await turn()
      throw Object.assign(new Error('The device said no.'), { code: 'REFUSED' })
    })
    queue.drop(stopped)
    await failing.should.be.rejectedWith({ code: 'REFUSED' })
  })

  it('aborts the signal of a turn, and fails its check, with a stable code', async () => {
    const { add, queue } = controlled()
    const seen: unknown[] = []
    const dropped = add(1, async ({ signal, check }) => {
      check()
      await turn()
      seen.push(signal.aborted)
      check()
      seen.push('acted')
    })
    queue.drop()
    await dropped.should.be.rejectedWith({ code: 'ABORTED' })
    seen.should.deepEqual([true])
    should(() => queue.turn.check()).not.throw()
  })

  it('accepts nothing after its close, which waits for what has begun', async () => {
    const { add, end, queue } = controlled()
    const first = add(1)
    first.catch(() => undefined)
    let isClosed = false
    const closing = queue.close(stopped).then(() => (isClosed = true))
    await turn()
    isClosed.should.be.false()
    await add(2).should.be.rejectedWith({ code: 'STOPPED' })
    end(1)
    await closing
    await first.should.be.rejectedWith({ code: 'STOPPED' })
  })

  it('lets nothing act that was accepted before a drop, in any order of events', async () => {
    const event = fc.oneof(
      fc.record({ is: fc.constant('add' as const), awaits: fc.nat(3) }),
      fc.record({ is: fc.constant('drop' as const) }),
      fc.record({ is: fc.constant('turn' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        async (events, atOnce) => {
          const queue = new Queue({ atOnce, room: 4 })
          let epoch = 0
          let added = 0
          let settled = 0
          const left: number[] = []
          for (const each of events) {
            if (each.is === 'turn') await turn()
            else if (each.is === 'drop') {
              epoch++
              queue.drop(stopped)
            } else {
              const [accepted, number] = [epoch, added++]
              queue
                .add(async ({ check }) => {
                  for (let count = 0; count < each.awaits; count++) await turn()
                  check()
                  epoch.should.equal(accepted)
                  return number
                })
                .then(
                  (value) => left.push(value),
                  (error: unknown) =>
                    should(['STOPPED', 'BUSY']).containEql((error as { code: string }).code),
                )
                .finally(() => settled++)
                .catch((error: unknown) => (settled = Number.NaN) && error)
            }
          }
          await queue.idle()
          await turn()
          settled.should.equal(added)
          left.should.deepEqual([...left].sort((one, other) => one - other))
          queue.should.have.properties({ open: 0, waiting: 0 })
        },
      ),
      { seed: 35, numRuns: 200 },
    )
  })
})
