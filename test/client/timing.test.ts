import fc from 'fast-check'
import should from 'should'
import { deadlines, type Expiring } from '../../lib/client/create-client'
import { waitBefore } from '../../lib/client/call'

const seed = { seed: 20250117 }

/** An entry whose deadline notes when it came, in milliseconds of `now()`. */
function noting() {
  const came: number[] = []
  let done = () => {}
  const first = new Promise<void>((resolve) => (done = resolve))
  const entry: Expiring = {
    expire: (now) => {
      came.push(now)
      done()
    },
  }
  // Deadlines do not keep the process alive.
  const guard = setTimeout(() => {}, 30_000)
  return { entry, came, first: first.finally(() => clearTimeout(guard)), forget: () => clearTimeout(guard) }
}

describe('deadlines', () => {
  it('fire once and never early', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.double({ min: -5, max: 20, noNaN: true })),
      async (delays) => {
        const started = deadlines.now()
        await Promise.all(
          delays.map(async (delay) => {
            const { entry, came, first } = noting()
            deadlines.set(entry, started + delay)
            await first
            came.should.have.length(1)
            should(came[0]).be.aboveOrEqual(started + delay)
          }),
        )
      },
    )
    await fc.assert(property, { ...seed, numRuns: 10 })
  })

  it('do not fire once they are removed, and move when they are set again', async () => {
    const [removed, moved] = [noting(), noting()]
    const at = deadlines.now() + 20
    deadlines.set(removed.entry, at - 15)
    deadlines.set(moved.entry, at - 15)
    deadlines.set(moved.entry, at)
    deadlines.remove(removed.entry)
    deadlines.remove(removed.entry)
    await moved.first
    should(moved.came[0]).be.aboveOrEqual(at)
    removed.came.should.be.empty()
    removed.forget()
  })

  it('do not keep the process alive, and keep nothing of calls that have ended', () => {
    const { entry, forget } = noting()
    deadlines.set(entry, Infinity)
    should(entry.deadline?.hasRef()).be.false()
    deadlines.remove(entry)
    should(entry.deadline).be.undefined()
    forget()
  })
})

describe('the wait before a repetition', () => {
  it('is random up to a limit that doubles, to five seconds', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7].map((count) => waitBefore(count, undefined, () => 1))
    longest.should.eql([200, 400, 800, 1600, 3200, 5000, 5000])
    waitBefore(5, undefined, () => 0).should.equal(0)
  })

  it('is the time that the device asks for, without randomness', () =>
    waitBefore(1, 2.5, () => 0).should.equal(2500))
})
